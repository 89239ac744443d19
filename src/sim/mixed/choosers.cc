#include "sim/mixed/choosers.h"

#include <algorithm>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "api/scheduler_config.h"
#include "dialects/kubernetes/translator.h"
#include "engine/devices/holdings.h"
#include "engine/engine.h"
#include "engine/world/world.h"
#include "sim/mixed/objects.h"

namespace berth::sim::mixed {
namespace {

class BestFit final : public Chooser {
 public:
  [[nodiscard]] std::optional<Placement> place(int /*pod*/, std::size_t number, const Cards& cards) override {
    const Ask& ask = asks()[number];
    return ask.cards == 1 ? one_card(ask, cards) : several(ask, cards);
  }
  void leave(int /*pod*/) override {}

 private:
  // The least left over on the card; of whole cards, on the node.
  static std::optional<Placement> one_card(const Ask& ask, const Cards& cards) {
    std::optional<Placement> found;
    auto fewest = std::tuple(std::numeric_limits<std::int64_t>::max(), 0);
    for (int card = 0; card < cards.layout().cards(); ++card) {
      const Card product = cards.product_of(card);
      for (const int start : starts(ask, product)) {
        if (!can_take(cards[card], product, ask, start)) continue;
        CardState then = cards[card];
        take(then, product, ask, start);
        const auto left = std::tuple(free_part(then, product), cards.whole_on(cards.node_of(card)));
        if (left < fewest) {
          fewest = left;
          found = Placement{{.card = card, .start = start}};
        }
        break;
      }
    }
    return found;
  }

  static std::optional<Placement> several(const Ask& ask, const Cards& cards) {
    const Layout& layout = cards.layout();
    int best = -1;
    for (int node = 0; node < layout.nodes(); ++node) {
      if (!ask.served_by(layout.product_of(node)) || cards.whole_on(node) < ask.cards) continue;
      if (best < 0 || cards.whole_on(node) < cards.whole_on(best)) best = node;
    }
    if (best < 0) return std::nullopt;
    Placement placement;
    for (int card = best * layout.per_node; std::ssize(placement) < ask.cards; ++card) {
      if (cards[card] == CardState{}) placement.push_back({.card = card, .start = 0});
    }
    return placement;
  }
};

// The engine, told of nodes, devices, pods and claims as a cluster's objects are.
class Scheduler final : public Chooser {
 public:
  Scheduler(Policy policy, const Layout& layout, std::uint64_t seed)
      : translator_({{policy == Policy::kBerth ? api::berth_default_profile() : api::kube_default_profile()}}, names_),
        objects_(objects_of(layout)) {
    std::vector<engine::Event> events = translator_.update(objects_);
    std::erase_if(events, [](const engine::Event& event) { return std::holds_alternative<engine::PodChanged>(event); });
    for (const auto& read : objects_.pods) pods_.push_back(translator_.translate(read.object));
    engine::Config config = translator_.config();
    config.seed = seed;
    config.classify_pending = false;
    config.strict_devices = policy == Policy::kUpstream;
    config.random_ties = policy != Policy::kBerth;
    engine_ = std::make_unique<engine::Engine>(std::move(config), names_);
    engine_->apply(events, 0);
    name_devices(layout);
  }

  [[nodiscard]] std::optional<Placement> place(int pod, std::size_t ask, const Cards& /*cards*/) override {
    engine::PodInput input = pods_[ask];
    const std::string name = "lab/pod-" + std::to_string(pod);
    input.name = names_.names.intern(name);
    input.claims = {names_.names.intern(name + "/gpu")};
    input.created = ++now_;
    news_.emplace_back(engine::PodChanged{std::move(input)});
    const engine::StepResult result = engine_->step(news_, now_);
    news_.clear();
    if (result.decisions.empty()) {
      leave(pod);
      return std::nullopt;
    }
    Placement placement;
    const engine::devices::Holdings& holdings = engine_->world().holdings();
    for (const auto& device : holdings.grant(names_.names.find(name + "/gpu"))->devices) {
      const auto& key = holdings.inventory().key(device.device);
      placement.push_back(pieces_.at({key.pool, key.device}));
    }
    return placement;
  }

  void leave(int pod) override {
    news_.emplace_back(engine::PodRemoved{names_.names.find("lab/pod-" + std::to_string(pod))});
  }

 private:
  void name_devices(const Layout& layout) {
    for (int card = 0; card < layout.cards(); ++card) {
      const int node = card / layout.per_node;
      for (const Ask& ask : asks()) {
        for (const int start : starts(ask, layout.product_of(node))) {
          const Piece piece{.card = card, .start = start};
          pieces_[{names_.names.intern(node_name(layout, node)),
                   names_.names.intern(device_name(layout, ask, piece))}] = piece;
        }
      }
    }
  }

  engine::Names names_;
  dialects::kubernetes::Translator translator_;
  api::ObjectSet objects_;
  std::vector<engine::PodInput> pods_;  // by ask
  std::unique_ptr<engine::Engine> engine_;
  boost::unordered_flat_map<std::pair<engine::NameId, engine::NameId>, Piece> pieces_;  // by pool and device
  std::vector<engine::Event> news_;
  engine::Time now_ = 0;
};

}  // namespace

std::string_view name_of(Policy policy) {
  switch (policy) {
    case Policy::kUpstream:
      return "upstream";
    case Policy::kBestMode:
      return "best mode";
    case Policy::kBestFit:
      return "best fit";
    case Policy::kBerth:
      return "berth";
  }
  return "";
}

std::unique_ptr<Chooser> make_chooser(Policy policy, const Layout& layout, std::uint64_t seed) {
  if (policy == Policy::kBestFit) return std::make_unique<BestFit>();
  return std::make_unique<Scheduler>(policy, layout, seed);
}

}  // namespace berth::sim::mixed
