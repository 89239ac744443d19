#include "engine/score/expected_fill.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/random.h"
#include "engine/input.h"

namespace berth::engine {
namespace {

constexpr std::uint64_t kDealSeed = 777;  // any: what is dealt is fixed, only its order is not
constexpr std::int32_t kMostCpu = std::numeric_limits<std::int32_t>::max() - 1;  // milli
constexpr std::int32_t kNeverFits = std::numeric_limits<std::int32_t>::max();

// Positions in the target, wave by wave. Every shape comes at even distances, from a start drawn for it, so that each
// wave, and each first part of the streams, holds the shapes in proportion; within a wave chance decides which stream
// gets which.
std::vector<std::size_t> deal(const TargetWorkload& target) {
  struct Card {
    std::uint64_t at = 0;
    std::size_t shape = 0;
    auto operator<=>(const Card&) const = default;
  };
  const std::int64_t total = target.total_count();
  if (total == 0) return {};
  constexpr std::int64_t kSize = ExpectedFill::kStreams * ExpectedFill::kLength;
  constexpr std::uint64_t kUnit = std::uint64_t{1} << 32U;
  Random random(kDealSeed);
  std::vector<Card> cards;
  std::int64_t covered = 0;
  for (std::size_t shape = 0; shape < target.shapes().size(); ++shape) {
    covered += target.shapes()[shape].count;
    const auto end = static_cast<std::uint64_t>((covered * kSize + total / 2) / total);
    const std::uint64_t count = end - cards.size();
    const std::uint64_t start = random.below(kUnit);
    for (std::uint64_t i = 0; i < count; ++i) cards.push_back({(i * kUnit + start) / count, shape});
  }
  std::ranges::sort(cards);
  std::vector<std::size_t> dealt;
  for (const Card& card : cards) dealt.push_back(card.shape);
  for (std::size_t wave = 0; wave < dealt.size(); wave += ExpectedFill::kStreams) {
    std::span part = std::span(dealt).subspan(wave, ExpectedFill::kStreams);
    random.shuffle(part);
  }
  return dealt;
}

constexpr std::int32_t kCellMilli = 10;
constexpr std::size_t kMostCards = 255;

// One byte per stream; kept as an array and worked on as a vector, which a comparison fills with all bits or none.
using Lanes = std::array<std::uint8_t, ExpectedFill::kStreams>;
using Bytes [[gnu::vector_size(ExpectedFill::kStreams)]] = std::uint8_t;

// By reference, since how vectors are returned depends on the processor.
[[gnu::always_inline]] inline void load(const Lanes& from, Bytes& into) { std::memcpy(&into, &from, sizeof into); }
[[gnu::always_inline]] inline void store(const Bytes& from, Lanes& into) { std::memcpy(&into, &from, sizeof into); }

// The free room of the node in every stream. There are no branches over streams.
class StreamRoom {
 public:
  StreamRoom(Amount free_cpu, std::span<const std::int32_t> card_free) {
    cpu_.fill(static_cast<std::int32_t>(std::clamp<Amount>(free_cpu, 0, kMostCpu)));
    cards_.reserve(card_free.size());
    for (std::size_t i = card_free.size() - std::min(card_free.size(), kMostCards); i < card_free.size(); ++i) {
      const std::int32_t cells = card_free[i] / kCellMilli;
      if (cells > 0) cards_.emplace_back().fill(static_cast<std::uint8_t>(cells));
    }
  }

  [[gnu::always_inline]] void feed(const std::array<std::int32_t, ExpectedFill::kStreams>& cpu, const Lanes& card_count,
                                   const Lanes& card_cells) {
    Bytes count;
    Bytes cells;
    load(card_count, count);
    load(card_cells, cells);
    Bytes tightest = ~Bytes{};
    Bytes sufficient = {};
    Bytes card;
    for (const Lanes& lanes : cards_) {
      load(lanes, card);
      const auto suffices = reinterpret_cast<Bytes>(card >= cells);
      sufficient -= suffices;
      const Bytes as_tight = card | ~suffices;
      tightest = as_tight < tightest ? as_tight : tightest;
    }
    Lanes has_cpu;
    for (std::size_t i = 0; i < cpu.size(); ++i) has_cpu[i] = cpu[i] <= cpu_[i] ? 0xff : 0;
    Bytes fits;
    load(has_cpu, fits);
    fits &= reinterpret_cast<Bytes>(sufficient >= count);
    Lanes takes;
    store(fits, takes);
    for (std::size_t i = 0; i < cpu.size(); ++i) cpu_[i] -= takes[i] != 0 ? cpu[i] : 0;
    // Of a whole-card request every sufficient card is as tight as the tightest.
    Bytes wanted = count & fits;
    for (Lanes& lanes : cards_) {
      load(lanes, card);
      const Bytes taken = reinterpret_cast<Bytes>(wanted != 0) & reinterpret_cast<Bytes>(card == tightest);
      wanted += taken;
      store(card - (cells & taken), lanes);
    }
  }

  [[nodiscard, gnu::always_inline]] std::int64_t free() const {
    std::int64_t sum = 0;
    for (const Lanes& card : cards_) {
      for (const std::uint8_t cells : card) sum += cells;
    }
    return sum * kCellMilli;
  }

 private:
  std::array<std::int32_t, ExpectedFill::kStreams> cpu_;
  std::vector<Lanes> cards_;
};

template <class Waves>
[[gnu::always_inline]] inline std::int64_t feed_all(const Waves& waves, StreamRoom& rooms) {
  for (const auto& wave : waves) rooms.feed(wave.cpu, wave.count, wave.cells);
  return rooms.free();
}

// The same for processors with wider vectors; the integers are the same.
#if defined(__x86_64__)
template <class Waves>
[[gnu::target("avx2")]] std::int64_t feed_all_wide(const Waves& waves, StreamRoom& rooms) {
  return feed_all(waves, rooms);
}
bool has_wide_vectors() { return __builtin_cpu_supports("avx2") != 0; }
#else
template <class Waves>
std::int64_t feed_all_wide(const Waves& waves, StreamRoom& rooms) {
  return feed_all(waves, rooms);
}
bool has_wide_vectors() { return false; }
#endif

}  // namespace

ExpectedFill::ExpectedFill(const TargetWorkload& target)
    : wide_(has_wide_vectors()), any_other_product_(streams_for(target, kUnnamedProduct)) {
  std::vector<ProductId> named;
  for (const TargetShape& shape : target.shapes()) {
    named.insert(named.end(), shape.products.begin(), shape.products.end());
  }
  std::ranges::sort(named);
  named.erase(std::unique(named.begin(), named.end()), named.end());
  for (const ProductId product : named) by_product_.push_back(streams_for(target, product));
}

ExpectedFill::ProductStreams ExpectedFill::streams_for(const TargetWorkload& target, ProductId product) {
  ProductStreams result{product, {}};
  const std::span<const std::uint8_t> acceptable = target.acceptable(product);
  const std::vector<std::size_t> dealt = deal(target);
  result.waves.resize(dealt.size() / kStreams);
  for (std::size_t i = 0; i < dealt.size(); ++i) {
    const TargetShape& shape = target.shapes()[dealt[i]];
    Wave& wave = result.waves[i / kStreams];
    const std::size_t stream = i % kStreams;
    wave.cpu[stream] = static_cast<std::int32_t>(std::min<Amount>(shape.cpu, kNeverFits));
    if (acceptable[dealt[i]] == 0) wave.cpu[stream] = kNeverFits;
    // Whoever wants more cards than a node counts never fits.
    if (shape.card_count > static_cast<std::int32_t>(kMostCards)) wave.cpu[stream] = kNeverFits;
    wave.count[stream] = static_cast<std::uint8_t>(std::min<std::size_t>(shape.card_count, kMostCards));
    wave.cells[stream] = static_cast<std::uint8_t>((shape.card_milli + kCellMilli - 1) / kCellMilli);
  }
  return result;
}

std::int64_t ExpectedFill::unfilled(Amount free_cpu, std::span<const std::int32_t> card_free, ProductId product) const {
  if (card_free.empty()) return 0;
  const auto known = std::ranges::lower_bound(by_product_, product, {}, &ProductStreams::product);
  const ProductStreams& streams = known != by_product_.end() && known->product == product ? *known : any_other_product_;
  StreamRoom rooms(free_cpu, card_free);
  return wide_ ? feed_all_wide(streams.waves, rooms) : feed_all(streams.waves, rooms);
}

}  // namespace berth::engine
