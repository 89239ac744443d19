// The ledger against the naive one: the same headroom and the same sums, whatever is charged, given back, added, moved
// or taken away in between.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/random.h"
#include "engine/quota/ledger.h"
#include "reference/ledger.h"
#include "support/long_run.h"

namespace berth::property {
namespace {

using engine::Ledger;
using engine::QueueId;

class Accounts {
 public:
  Accounts() {
    for (std::size_t i = 0; i < kQueues; ++i) queue_names_.push_back(names_.names.intern("q" + std::to_string(i)));
    ledger_.add_hardware(engine::kCpu, kHardware);
  }

  void change(Random& random) {
    const auto at = static_cast<std::size_t>(random.below(kQueues));
    switch (random.below(4)) {
      case 0:
        redefine(at, random);
        break;
      case 1:
        give_back(random);
        break;
      default:
        charge(at, random.between(0, 12));
        break;
    }
  }

  void compare(int history) const {
    const reference::NaiveLedger naive(specs_, kHardware);
    for (std::size_t i = 0; i < kQueues; ++i) {
      const QueueId id = tree_.find(queue_names_[i]);
      if (id.is_none()) continue;
      const auto number = static_cast<std::int32_t>(i);
      ASSERT_EQ(ledger_.used(id, engine::kCpu), naive.used(number)) << history;
      ASSERT_EQ(ledger_.headroom(id, engine::kCpu), naive.headroom(number).value_or(Ledger::kUnlimited)) << history;
      ASSERT_EQ(tree_.state(id) == engine::QueueState::kCycle, naive.is_broken(i)) << history;
      std::vector<reference::QueueSpec> unused = specs_;
      for (reference::QueueSpec& spec : unused) spec.charged = 0;
      ASSERT_EQ(ledger_.potential(id, engine::kCpu),
                reference::NaiveLedger(unused, kHardware).headroom(number).value_or(Ledger::kUnlimited))
          << history;
    }
    ASSERT_EQ(ledger_.used(engine::QueueTree::kRoot, engine::kCpu), naive.used(-1)) << history;
  }

 private:
  static constexpr std::size_t kQueues = 6;
  static constexpr std::int64_t kHardware = 60;

  void redefine(std::size_t at, Random& random) {
    reference::QueueSpec& spec = specs_[at];
    spec.parent = static_cast<std::int32_t>(random.between(-1, static_cast<std::int64_t>(at)));
    if (random.chance(1, 10)) spec.parent = static_cast<std::int32_t>(random.below(kQueues));
    const auto maybe = [&](std::int64_t most) {
      return random.chance(1, 2) ? std::optional(random.between(0, most)) : std::nullopt;
    };
    spec.guarantee = maybe(30);
    spec.lending_limit = maybe(30);
    spec.borrowing_limit = maybe(15);
    spec.cap = maybe(50);
    spec.adds_to_children = random.chance(1, 2);
    spec.only_named = random.chance(1, 5);
    for (std::size_t i = 0; i < kQueues; ++i) tell(i);
    ledger_.rules_changed();
  }

  void tell(std::size_t at) {
    const reference::QueueSpec& spec = specs_[at];
    engine::QueueInput input;
    input.name = queue_names_[at];
    if (spec.parent >= 0) input.parent = queue_names_[static_cast<std::size_t>(spec.parent)];
    input.adds_to_children = spec.adds_to_children;
    input.only_named_resources = spec.only_named;
    if (spec.guarantee || spec.cap) {
      input.quotas = {{engine::kCpu, spec.guarantee, spec.lending_limit, spec.borrowing_limit, spec.cap}};
    }
    tree_.set(input);
  }

  void charge(std::size_t at, std::int64_t amount) {
    if (tree_.find(queue_names_[at]).is_none()) return;
    specs_[at].charged += amount;
    charges_.emplace_back(at, amount);
    ledger_.charge(tree_.find(queue_names_[at]), engine::kCpu, amount);
  }

  void give_back(Random& random) {
    if (charges_.empty()) return;
    const auto which = static_cast<std::size_t>(random.below(charges_.size()));
    const auto [at, amount] = charges_[which];
    charges_.erase(charges_.begin() + static_cast<std::ptrdiff_t>(which));
    specs_[at].charged -= amount;
    ledger_.charge(tree_.find(queue_names_[at]), engine::kCpu, -amount);
  }

  engine::Names names_;
  std::vector<engine::NameId> queue_names_;
  engine::QueueTree tree_{names_};
  Ledger ledger_{tree_};
  std::vector<reference::QueueSpec> specs_{kQueues};
  std::vector<std::pair<std::size_t, std::int64_t>> charges_;
};

TEST(Ledger, EqualsTheNaiveOneAfterEveryStep) {
  Random random(11);
  const int histories = support::count_of_worlds(2000, 100'000);
  for (int history = 0; history < histories; ++history) {
    Accounts accounts;
    for (int step = 0; step < 30; ++step) {
      accounts.change(random);
      accounts.compare(history);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace berth::property
