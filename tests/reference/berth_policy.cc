#include "reference/berth_policy.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/random.h"

namespace berth::reference {
namespace {

constexpr int kStreams = 32;
constexpr int kLength = 30;  // pods

bool accepts(const StudyPod& pod, const std::string& model) {
  return pod.cards == 0 || pod.models.empty() ||
         std::find(pod.models.begin(), pod.models.end(), model) != pod.models.end();
}

// What comes to the streams, one pod to each in turn. Shape by shape, at even distances from a drawn start; what comes
// at one time to all streams is then shuffled among them.
std::vector<std::size_t> deal(const std::vector<TypicalPod>& target) {
  std::int64_t total = 0;
  for (const TypicalPod& typical : target) total += typical.count;
  const std::int64_t size = kStreams * kLength;
  Random random(777);
  std::vector<std::pair<std::uint64_t, std::size_t>> places;
  std::int64_t covered = 0;
  for (std::size_t i = 0; i < target.size(); ++i) {
    const std::int64_t first = (covered * size + total / 2) / total;
    covered += target[i].count;
    const std::int64_t count = (covered * size + total / 2) / total - first;
    const std::uint64_t start = random.below(std::uint64_t{1} << 32U);
    for (std::int64_t k = 0; k < count; ++k) {
      places.emplace_back(((static_cast<std::uint64_t>(k) << 32U) + start) / static_cast<std::uint64_t>(count), i);
    }
  }
  std::sort(places.begin(), places.end());
  std::vector<std::size_t> dealt;
  for (std::size_t from = 0; from < places.size(); from += kStreams) {
    std::vector<std::size_t> wave;
    for (std::size_t i = from; i < from + kStreams; ++i) wave.push_back(places[i].second);
    random.shuffle(wave);
    dealt.insert(dealt.end(), wave.begin(), wave.end());
  }
  return dealt;
}

void feed(Room& room, const StudyPod& pod) {
  if (pod.cpu > room.cpu || !accepts(pod, room.model)) return;
  if (pod.cards > 0 && pod.milli < 1000) {
    int tightest = 2000;
    for (const int card : room.free) {
      if (card >= pod.milli) tightest = std::min(tightest, card);
    }
    if (tightest == 2000) return;
    *std::find(room.free.begin(), room.free.end(), tightest) -= pod.milli;
  } else if (pod.cards > 0) {
    if (std::count(room.free.begin(), room.free.end(), 1000) < pod.cards) return;
    for (int i = 0; i < pod.cards; ++i) *std::find(room.free.begin(), room.free.end(), 1000) = 0;
  }
  room.cpu -= pod.cpu;
}

std::int64_t places(const Room& room, const StudyPod& pod) {
  if (pod.cards == 0 || !accepts(pod, room.model)) return 0;
  Room rest = room;
  rest.cpu = 0;
  StudyPod free_of_cpu = pod;
  free_of_cpu.cpu = 0;
  std::int64_t count = -1;
  std::int64_t before = -1;
  do {
    ++count;
    before = std::accumulate(rest.free.begin(), rest.free.end(), std::int64_t{0});
    feed(rest, free_of_cpu);
  } while (std::accumulate(rest.free.begin(), rest.free.end(), std::int64_t{0}) != before);
  while (count > 0 && count * pod.cpu > room.cpu) --count;
  return count;
}

std::int64_t free_of(const std::vector<Room>& rooms) {
  std::int64_t sum = 0;
  for (const Room& room : rooms) sum = std::accumulate(room.free.begin(), room.free.end(), sum);
  return sum;
}

}  // namespace

BerthTwin::BerthTwin(std::vector<TypicalPod> target)
    : target_(std::move(target)), dealt_(deal(target_)), worth_(target_.size(), 0) {}

std::int64_t BerthTwin::net(std::size_t shape, std::int64_t cpu_price) const {
  const StudyPod& pod = target_[shape].pod;
  return std::int64_t{1024} * pod.cards * pod.milli - price_[shape] - cpu_price * pod.cpu;
}

// A card has 100 cells. Where it earns no more than with a cell less, that cell stays empty.
std::vector<BerthTwin::Use> BerthTwin::uses_of_card(const std::string& model, std::int64_t cpu_price) const {
  std::vector<Use> uses(1);
  for (int cells = 1; cells <= 100; ++cells) {
    Use best = uses.back();
    for (std::size_t i = 0; i < target_.size(); ++i) {
      const StudyPod& pod = target_[i].pod;
      if (pod.cards != 1 || pod.milli >= 1000 || !accepts(pod, model)) continue;
      const int size = (pod.milli + 9) / 10;
      if (size > cells) continue;
      const Use& rest = uses[static_cast<std::size_t>(cells - size)];
      if (rest.earns + net(i, cpu_price) <= best.earns) continue;
      best = rest;
      best.earns += net(i, cpu_price);
      best.pods.push_back(i);
    }
    uses.push_back(std::move(best));
  }
  return uses;
}

// Up to 16 whole cards of one node.
std::vector<BerthTwin::Use> BerthTwin::uses_of_cards(const std::string& model, std::int64_t cpu_price) const {
  const std::int64_t as_shares = uses_of_card(model, cpu_price).back().earns;
  std::vector<Use> uses(1);
  for (int cards = 1; cards <= 16; ++cards) {
    Use best;
    best.earns = -1;
    for (std::size_t i = 0; i < target_.size(); ++i) {
      const StudyPod& pod = target_[i].pod;
      if (pod.milli != 1000 || pod.cards == 0 || pod.cards > cards || !accepts(pod, model) || net(i, cpu_price) <= 0)
        continue;
      const Use& rest = uses[static_cast<std::size_t>(cards - pod.cards)];
      if (rest.earns + net(i, cpu_price) <= best.earns) continue;
      best = rest;
      best.earns += net(i, cpu_price);
      best.pods.push_back(i);
    }
    if (uses.back().earns + as_shares > best.earns) {
      best = uses.back();
      best.earns += as_shares;
      ++best.cards_for_shares;
    }
    uses.push_back(std::move(best));
  }
  return uses;
}

const BerthTwin::Uses& BerthTwin::uses(const std::string& model, std::int64_t cpu_price) const {
  const auto known = uses_.find({model, cpu_price});
  if (known != uses_.end()) return known->second;
  Uses made{uses_of_card(model, cpu_price), uses_of_cards(model, cpu_price)};
  return uses_.emplace(std::pair(model, cpu_price), std::move(made)).first->second;
}

std::int64_t BerthTwin::bill(const Room& room, std::int64_t cpu_price) const {
  const auto& [of_card, of_cards] = uses(room.model, cpu_price);
  std::int64_t sum = cpu_price * std::max<std::int64_t>(0, room.cpu);
  std::size_t whole = 0;
  for (const int free : room.free) {
    if (free == 1000) {
      ++whole;
    } else {
      sum += of_card[static_cast<std::size_t>(free / 10)].earns;
    }
  }
  return sum + of_cards[whole].earns;
}

// Of those with the lowest bill the lowest.
std::int64_t BerthTwin::cheapest(const Room& room) const {
  std::int64_t best = 0;
  for (const std::int64_t cpu_price : {4, 8, 16, 32, 64, 128, 256}) {
    if (bill(room, cpu_price) < bill(room, best)) best = cpu_price;
  }
  return best;
}

std::int64_t BerthTwin::earnings(const Room& room) const { return price_.empty() ? 0 : bill(room, cheapest(room)); }

std::vector<std::int64_t> BerthTwin::used(const std::vector<Room>& rooms) const {
  std::vector<std::int64_t> result(target_.size(), 0);
  for (const Room& room : rooms) {
    const auto& [of_card, of_cards] = uses(room.model, cheapest(room));
    const Use& whole = of_cards[static_cast<std::size_t>(std::count(room.free.begin(), room.free.end(), 1000))];
    for (const std::size_t pod : whole.pods) ++result[pod];
    for (const std::size_t pod : of_card[100].pods) result[pod] += whole.cards_for_shares;
    for (const int free : room.free) {
      if (free == 1000) continue;
      for (const std::size_t pod : of_card[static_cast<std::size_t>(free / 10)].pods) ++result[pod];
    }
  }
  return result;
}

// 200 rounds at first, with steps that become smaller, then 4 each time; the mean of the later half stays.
void BerthTwin::settle(const std::vector<Room>& rooms) {
  const bool first = price_.empty();
  if (first) price_.assign(target_.size(), 0);
  const auto asked = [](const TypicalPod& typical) { return typical.count * typical.pod.cards * typical.pod.milli; };
  std::int64_t asked_by_all = 0;
  for (const TypicalPod& typical : target_) asked_by_all += asked(typical);
  if (asked_by_all == 0) return;
  const int rounds = first ? 200 : 4;
  std::vector<std::int64_t> sums(target_.size(), 0);
  for (int round = 0; round < rounds; ++round) {
    const std::vector<std::int64_t> taken = used(rooms);
    const std::int64_t step = first ? 205 * 20 / (20 + round) : 31;
    for (std::size_t i = 0; i < target_.size(); ++i) {
      __extension__ using Wide = __int128;
      const std::int64_t most = std::int64_t{1024} * target_[i].pod.cards * target_[i].pod.milli;
      const Wide comes = static_cast<Wide>(free_of(rooms)) * target_[i].count;
      const Wide base = comes + asked_by_all;
      const Wide surplus = std::max(-base, std::min(base, static_cast<Wide>(taken[i]) * asked_by_all - comes));
      const auto moved = static_cast<std::int64_t>(static_cast<Wide>(step * most / 1024) * surplus / base);
      price_[i] = std::max(std::int64_t{0}, std::min(most, price_[i] + moved));
      if (round >= rounds / 2) sums[i] += price_[i];
    }
    uses_.clear();
  }
  for (std::size_t i = 0; i < target_.size(); ++i) price_[i] = sums[i] / (rounds - rounds / 2);
}

// A stream gets every 32nd of what is dealt. Cards count by hundredths: free room rounded down, shares up.
std::int64_t BerthTwin::left_by_stream(Room room, int stream) const {
  for (int& card : room.free) card -= card % 10;
  for (auto i = static_cast<std::size_t>(stream); i < dealt_.size(); i += kStreams) {
    StudyPod pod = target_[dealt_[i]].pod;
    pod.milli = (pod.milli + 9) / 10 * 10;
    feed(room, pod);
  }
  return std::accumulate(room.free.begin(), room.free.end(), std::int64_t{0});
}

std::int64_t BerthTwin::value(const Room& room) const {
  if (room.free.empty()) return 0;
  std::int64_t unfilled = 0;
  for (int stream = 0; stream < kStreams; ++stream) unfilled += left_by_stream(room, stream);
  std::int64_t worth = 0;
  for (std::size_t i = 0; i < target_.size(); ++i) worth += worth_[i] * places(room, target_[i].pod);
  std::int64_t whole = std::int64_t{2000} * 1024 * static_cast<std::int64_t>(room.free.size());
  for (const int card : room.free) whole = card < 1000 ? whole * 4 / 5 : whole;
  return worth * 3 / 20 + 2 * earnings(room) - unfilled * 1024 / kStreams / 2 + whole * leaving_ / 16;
}

bool BerthTwin::is_due(const std::vector<Room>& rooms) const {
  const std::int64_t change = free_of(rooms) - weighed_free_;
  return weighed_free_ < 0 ||
         (std::max(change, -change) * 16 > weighed_free_ && std::max(change, -change) * 1024 > weighed_all_);
}

void BerthTwin::weigh(const std::vector<Room>& rooms) {
  weighed_free_ = free_of(rooms);
  weighed_all_ = 0;
  for (const Room& room : rooms) weighed_all_ += static_cast<std::int64_t>(room.free.size()) * 1000;
  leaving_ = started_ > 0 ? std::min<std::int64_t>(16, left_ * 16 / started_) : 0;
  if (started_ > 2 * weighed_all_) {
    started_ /= 2;
    left_ /= 2;
  }
  settle(rooms);
  const auto asked = [](const TypicalPod& typical) { return typical.count * typical.pod.cards * typical.pod.milli; };
  std::int64_t asked_by_all = 0;
  for (const TypicalPod& typical : target_) asked_by_all += asked(typical);
  for (std::size_t i = 0; i < target_.size(); ++i) {
    std::int64_t all = 0;
    for (const Room& room : rooms) all += places(room, target_[i].pod);
    __extension__ using Wide = __int128;
    worth_[i] = all == 0 ? 0
                         : static_cast<std::int64_t>(static_cast<Wide>(1024) * asked(target_[i]) * weighed_free_ /
                                                     (static_cast<Wide>(asked_by_all) * all));
  }
}

}  // namespace berth::reference
