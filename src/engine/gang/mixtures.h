// Mixtures: which pods of several items a node can take together, and the search for one mixture per node that adds up
// to all of them. Plain integers: whoever asks says what an item is and which nodes are alike.
//
// Two bounds make a no cheap:
//   weights  give each item a weight. If what is wanted weighs more than the heaviest mixtures of all nodes together,
//   it
//            does not fit, whatever the weights are. Those of the resources, of single items and of their number are
//            the sums that anybody would look at; the weights that leave least beyond what is wanted are found by
//            raising those of the items that the heaviest mixtures lack. That is the dual of the linear programme over
//            mixtures, so that hardly a no is left for the search (Gilmore and Gomory 1961)
//   slices   of each domain the whole slices that its nodes could take
// Of the nodes that are left the same is asked at every step of the search.
//
// The search goes node by node. Without loss it takes only mixtures to which nothing could be added that comes later
// (it could be moved here), unless slices say where it has to be, and of nodes that are alike the earlier has the
// mixture that comes first in the order of numbers. Of the mixtures that are left the heaviest is tried first. What is
// left after a node depends on the node and the numbers alone, so that a state that has failed fails again.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace berth::engine {

using Weights = std::vector<std::int64_t>;  // by item, none negative

struct Mixture {
  std::vector<std::int32_t> pods;  // by item
  std::uint64_t more = 0;          // a bit for each item of which another pod would fit
  bool operator==(const Mixture&) const = default;
};

// Pods of some items that go so many at a time to one domain, save what makes no whole slice.
struct SlicedItems {
  std::uint64_t items = 0;  // a bit for each
  std::int32_t size = 0;
  std::vector<std::uint32_t> domains;  // by site; equal ones in a row
};

struct MixtureProblem {
  static constexpr std::size_t kMostItems = 64;

  std::vector<std::int32_t> wanted;          // by item
  std::vector<std::vector<Mixture>> states;  // by state: all that a node of the state can take, nothing among them
  std::vector<std::uint32_t> sites;          // the nodes in order: their states
  std::vector<SlicedItems> sliced;           // of no common items; a domain of the later lies in one of the earlier
  std::vector<Weights> hints;                // weights that are worth a look: what they ask of each resource
};

// Weights by which the problem is short of room, or nothing: it may be short all the same. O(rounds * mixtures).
[[nodiscard]] std::optional<Weights> excluding_weights(const MixtureProblem& problem);

enum class MixtureOutcome : std::uint8_t { kFound, kNone, kGaveUp };
struct MixtureAnswer {
  MixtureOutcome outcome = MixtureOutcome::kNone;
  std::vector<std::uint32_t> chosen;  // found: by site, the place of the mixture in its state's list
  std::size_t looked_at = 0;          // mixtures
};

// `limit`: mixtures looked at before it gives up.
[[nodiscard]] MixtureAnswer find_mixtures(const MixtureProblem& problem, std::size_t limit);

}  // namespace berth::engine
