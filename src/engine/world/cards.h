// Cards of one resource on one node: how much of each card is free, who gets which, and whether a request fits.
//
// A request is `count` whole cards or a share of one card. Whole cards are the lowest-numbered wholly free ones; a
// share goes to the tightest card that suffices, the lowest-numbered of equals. A policy may name the card of a share.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/input.h"

namespace berth::engine {

struct CardGroup {
  ResourceId resource;
  ProductId product;
  std::vector<std::int32_t> free;  // milli per card
  std::int32_t whole_free = 0;     // cards with nothing on them
  std::int32_t largest_free = 0;   // most milli free in one card

  [[nodiscard]] bool accepts(const CardRequest& request) const;  // of an acceptable product
  [[nodiscard]] bool large_enough(const CardRequest& request) const {
    return request.count <= static_cast<std::int32_t>(free.size());
  }
  // Enough in whole cards, or in one card, now.
  [[nodiscard]] bool has_room(const CardRequest& request) const {
    return request.milli == kMilliPerCard ? whole_free >= request.count : largest_free >= request.milli;
  }

  // Chooses cards for a request; fewer than asked for, or none, if there is no room (a node may be overcommitted by
  // others). `wanted_card` is a policy's choice for a share, or -1.
  [[nodiscard]] CardAssignment choose(const CardRequest& request, std::int32_t wanted_card) const;
  void take(const CardAssignment& assignment) { change(assignment, -assignment.milli); }
  void give_back(const CardAssignment& assignment) { change(assignment, assignment.milli); }

 private:
  void change(const CardAssignment& assignment, std::int32_t delta);
};

}  // namespace berth::engine
