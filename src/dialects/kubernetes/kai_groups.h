// KaiGroups: on which card of its node a running pod of KAI has its share.
//
// KAI numbers no cards. Pods that share one have the same group, in the label runai-gpu-group or, with shares of
// several cards, in labels runai-gpu-group/GROUP; a pod of its own, gpu-reservation-..., holds the whole card for the
// device plugin for as long as somebody of the group is there. Here the sharers hold what they ask for, each group on a
// card of its own, counted from the last one, as whole cards are counted from the first; the reservation holds none.
// Source: kai.md 1.7, 2.9.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "api/objects.h"
#include "engine/input.h"
#include "engine/names.h"

namespace berth::dialects::kubernetes {

inline constexpr std::string_view kKaiCards = "nvidia.com/gpu";

// A pod that reserves a card for its sharers.
[[nodiscard]] bool is_kai_reservation(const api::Pod& pod);
// Its sharers, by their labels.
[[nodiscard]] bool has_kai_group(const api::Pod& pod);

class KaiGroups {
 public:
  KaiGroups() = default;
  explicit KaiGroups(const api::ObjectSet& objects);

  // What a pod that runs holds of its node's cards, as far as its groups say it; else nothing. The engine fills in how
  // much of each card that is.
  [[nodiscard]] std::vector<engine::CardAssignment> cards_of(const api::Pod& pod, const engine::Names& names) const;

 private:
  // By node and group: the card.
  boost::unordered_flat_map<std::string, boost::unordered_flat_map<std::string, std::uint16_t>> cards_;
};

}  // namespace berth::dialects::kubernetes
