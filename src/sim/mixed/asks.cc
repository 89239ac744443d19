#include "sim/mixed/asks.h"

#include <algorithm>
#include <limits>

namespace berth::sim::mixed {
namespace {

constexpr std::size_t index_of(Card product) { return static_cast<std::size_t>(product); }
constexpr std::optional<std::size_t> kNone = std::nullopt;

// By mig::profiles(): 0 1g, 1 1g with twice the memory, 2 2g, 3 3g, 4 4g, 5 7g.
constexpr std::array kAsks = {
    Ask{.name = "1g-5gb", .kind = Kind::kPartition, .often = 170, .profile = {0, 0}},
    Ask{.name = "1g-10gb", .kind = Kind::kPartition, .often = 100, .profile = {1, 0}},
    Ask{.name = "1g-20gb", .kind = Kind::kPartition, .often = 40, .profile = {3, 1}},
    Ask{.name = "2g-10gb", .kind = Kind::kPartition, .often = 100, .profile = {2, 2}},
    Ask{.name = "2g-20gb", .kind = Kind::kPartition, .often = 40, .profile = {3, 2}},
    Ask{.name = "3g-20gb", .kind = Kind::kPartition, .often = 65, .profile = {3, 3}},
    Ask{.name = "3g-40gb", .kind = Kind::kPartition, .often = 25, .profile = {5, 3}},
    Ask{.name = "4g-20gb", .kind = Kind::kPartition, .often = 25, .profile = {4, 4}},
    Ask{.name = "7g-40gb", .kind = Kind::kPartition, .often = 12, .profile = {5, 5}},
    Ask{.name = "7g-80gb", .kind = Kind::kPartition, .often = 8, .profile = {kNone, 5}},
    Ask{.name = "share-5gi-10", .kind = Kind::kShare, .often = 100, .memory = 5, .multiprocessors = 10},
    Ask{.name = "share-10gi-20", .kind = Kind::kShare, .often = 80, .memory = 10, .multiprocessors = 20},
    Ask{.name = "share-10gi-40", .kind = Kind::kShare, .often = 50, .memory = 10, .multiprocessors = 40},
    Ask{.name = "share-20gi-30", .kind = Kind::kShare, .often = 40, .memory = 20, .multiprocessors = 30},
    Ask{.name = "share-5gi-40", .kind = Kind::kShare, .often = 20, .memory = 5, .multiprocessors = 40},
    Ask{.name = "share-30gi-60", .kind = Kind::kShare, .often = 10, .memory = 30, .multiprocessors = 60},
    Ask{.name = "card", .kind = Kind::kCard, .often = 60},
    Ask{.name = "card-h100", .kind = Kind::kCard, .often = 20, .h100_only = true},
    Ask{.name = "cards-2", .kind = Kind::kCards, .often = 25, .cards = 2},
    Ask{.name = "cards-4", .kind = Kind::kCards, .often = 10, .cards = 4},
};

std::int64_t part(std::int64_t of, std::int64_t whole) { return of * kMilli / whole; }

}  // namespace

int memory_gib(Card product) { return product == Card::kA100 ? 40 : 80; }

std::string_view profile_name(std::size_t profile, Card product) {
  static constexpr std::array<std::array<std::string_view, kProducts.size()>, mig::kProfiles> kNames = {
      {{"1g.5gb", "1g.10gb"},
       {"1g.10gb", "1g.20gb"},
       {"2g.10gb", "2g.20gb"},
       {"3g.20gb", "3g.40gb"},
       {"4g.20gb", "4g.40gb"},
       {"7g.40gb", "7g.80gb"}}};
  return kNames[profile][index_of(product)];
}

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::kPartition:
      return "partitions";
    case Kind::kShare:
      return "shares";
    case Kind::kCard:
      return "card";
    case Kind::kCards:
      return "cards";
  }
  return "";
}

bool Ask::served_by(Card product) const {
  if (kind == Kind::kPartition) return profile[index_of(product)].has_value();
  return !h100_only || product == Card::kH100;
}

std::int64_t Ask::takes(Card product) const {
  const int processors = mig::multiprocessors(product);
  switch (kind) {
    case Kind::kPartition: {
      const mig::Profile& its = mig::profiles()[*profile[index_of(product)]];
      return std::max(part(its.slices, mig::kSlices), part(its.multiprocessors[index_of(product)], processors));
    }
    case Kind::kShare:
      return std::max(part(memory, memory_gib(product)), part(multiprocessors, processors));
    case Kind::kCard:
    case Kind::kCards:
      return cards * kMilli;
  }
  return 0;
}

std::int64_t Ask::size() const {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const Card product : kProducts) {
    if (served_by(product)) least = std::min(least, takes(product));
  }
  return least;
}

std::span<const Ask> asks() { return kAsks; }

std::int64_t total_often() {
  std::int64_t sum = 0;
  for (const Ask& ask : kAsks) sum += ask.often;
  return sum;
}

std::int64_t total_size() {
  std::int64_t sum = 0;
  for (const Ask& ask : kAsks) sum += ask.often * ask.size();
  return sum;
}

std::size_t draw(Random& random) {
  auto ticket = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(total_often())));
  std::size_t ask = 0;
  while (ticket >= kAsks[ask].often) ticket -= kAsks[ask++].often;
  return ask;
}

}  // namespace berth::sim::mixed
