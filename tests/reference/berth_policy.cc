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

// A stream gets every 32nd of what is dealt.
std::int64_t BerthTwin::left_by_stream(Room room, int stream) const {
  for (auto i = static_cast<std::size_t>(stream); i < dealt_.size(); i += kStreams) feed(room, target_[dealt_[i]].pod);
  return std::accumulate(room.free.begin(), room.free.end(), std::int64_t{0});
}

std::int64_t BerthTwin::value(const Room& room) const {
  if (room.free.empty()) return 0;
  std::int64_t unfilled = 0;
  for (int stream = 0; stream < kStreams; ++stream) unfilled += left_by_stream(room, stream);
  std::int64_t worth = 0;
  for (std::size_t i = 0; i < target_.size(); ++i) worth += worth_[i] * places(room, target_[i].pod);
  return worth * 3 / 20 - unfilled * 1024 / kStreams;
}

bool BerthTwin::is_due(const std::vector<Room>& rooms) const {
  const std::int64_t change = free_of(rooms) - weighed_free_;
  return weighed_free_ < 0 || std::max(change, -change) * 32 > weighed_free_;
}

void BerthTwin::weigh(const std::vector<Room>& rooms) {
  weighed_free_ = free_of(rooms);
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
