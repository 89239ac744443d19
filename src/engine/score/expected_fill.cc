#include "engine/score/expected_fill.h"

#include <algorithm>
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

// The loops over streams have no branches, so that compilers turn them into vector instructions.
using Lanes = std::array<std::int16_t, ExpectedFill::kStreams>;

// The free room of the node in every stream.
class Rooms {
 public:
  Rooms(Amount free_cpu, std::span<const std::int32_t> card_free) {
    cpu_.fill(static_cast<std::int32_t>(std::clamp<Amount>(free_cpu, 0, kMostCpu)));
    cards_.reserve(card_free.size());
    for (const std::int32_t milli : card_free) {
      if (milli > 0) cards_.emplace_back().fill(static_cast<std::int16_t>(milli));
    }
  }

  [[gnu::always_inline]] void feed(const std::array<std::int32_t, ExpectedFill::kStreams>& cpu, const Lanes& count,
                                   const Lanes& milli) {
    constexpr std::int16_t kNone = std::numeric_limits<std::int16_t>::max();
    Lanes tightest;
    Lanes sufficient{};
    tightest.fill(kNone);
    for (const Lanes& card : cards_) {
      for (std::size_t i = 0; i < card.size(); ++i) {
        const bool suffices = card[i] >= milli[i];
        sufficient[i] = static_cast<std::int16_t>(sufficient[i] + (suffices ? 1 : 0));
        tightest[i] = std::min(tightest[i], suffices ? card[i] : kNone);
      }
    }
    Lanes wanted;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const int fits = int{cpu[i] <= cpu_[i]} & int{sufficient[i] >= count[i]};
      wanted[i] = fits != 0 ? count[i] : std::int16_t{0};
      cpu_[i] -= fits != 0 ? cpu[i] : 0;
    }
    // Of a whole-card request every sufficient card is as tight as the tightest.
    for (Lanes& card : cards_) {
      for (std::size_t i = 0; i < card.size(); ++i) {
        const int taken = int{wanted[i] > 0} & int{card[i] == tightest[i]};
        card[i] = static_cast<std::int16_t>(card[i] - (taken != 0 ? milli[i] : 0));
        wanted[i] = static_cast<std::int16_t>(wanted[i] - taken);
      }
    }
  }

  [[nodiscard, gnu::always_inline]] std::int64_t free() const {
    std::int64_t sum = 0;
    for (const Lanes& card : cards_) {
      for (const std::int16_t milli : card) sum += milli;
    }
    return sum;
  }

 private:
  std::array<std::int32_t, ExpectedFill::kStreams> cpu_;
  std::vector<Lanes> cards_;
};

template <class Waves>
[[gnu::always_inline]] inline std::int64_t feed_all(const Waves& waves, Rooms& rooms) {
  for (const auto& wave : waves) rooms.feed(wave.cpu, wave.count, wave.milli);
  return rooms.free();
}

// The same for processors with wider vectors; the integers are the same.
#if defined(__x86_64__)
template <class Waves>
[[gnu::target("avx2")]] std::int64_t feed_all_wide(const Waves& waves, Rooms& rooms) {
  return feed_all(waves, rooms);
}
bool has_wide_vectors() { return __builtin_cpu_supports("avx2") != 0; }
#else
template <class Waves>
std::int64_t feed_all_wide(const Waves& waves, Rooms& rooms) {
  return feed_all(waves, rooms);
}
bool has_wide_vectors() { return false; }
#endif

}  // namespace

ExpectedFill::ExpectedFill(const TargetWorkload& target)
    : wide_(has_wide_vectors()), any_other_product_(streams_for(target, ProductId::none())) {
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
    wave.count[stream] = static_cast<std::int16_t>(shape.card_count);
    wave.milli[stream] = static_cast<std::int16_t>(shape.card_milli);
  }
  return result;
}

std::int64_t ExpectedFill::unfilled(Amount free_cpu, std::span<const std::int32_t> card_free, ProductId product) const {
  if (card_free.empty()) return 0;
  const auto known = std::ranges::lower_bound(by_product_, product, {}, &ProductStreams::product);
  const ProductStreams& streams = known != by_product_.end() && known->product == product ? *known : any_other_product_;
  Rooms rooms(free_cpu, card_free);
  return wide_ ? feed_all_wide(streams.waves, rooms) : feed_all(streams.waves, rooms);
}

}  // namespace berth::engine
