// Cards of one resource on one node: how much of each card is free, who gets which, and whether a request fits.
//
// A request is `count` whole cards or a share of each of `count` cards. Whole cards are the lowest-numbered wholly free
// ones; shares go to the tightest cards that suffice, the lowest-numbered of equals. A policy may name the card of a
// share.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/input.h"

namespace berth::engine {

struct CardGroup {
  ResourceId resource;
  ProductId product;
  std::vector<std::int32_t> free;              // milli per card
  std::int32_t whole_free = 0;                 // cards with nothing on them
  std::int32_t largest_free = 0;               // most milli free in one card
  std::int64_t memory_bytes = 0;               // of each card; 0: not known
  std::vector<std::int64_t> memory_free = {};  // bytes per card; empty if not known
  std::vector<std::int32_t> millionths = {};   // of a milli that are free per card, besides; empty: none
  bool packed = true;                          // see CardRequest

  [[nodiscard]] bool accepts(const CardRequest& request) const;  // of an acceptable product
  [[nodiscard]] bool large_enough(const CardRequest& request) const {
    return request.count <= static_cast<std::int32_t>(free.size()) && request.memory_bytes <= memory_bytes;
  }
  // Enough in whole cards, or in single cards, now.
  [[nodiscard]] bool has_room(const CardRequest& request) const;
  // What the request takes of each of its cards here.
  struct Share {
    std::int32_t milli = 0;
    std::int32_t millionths = 0;
    std::int64_t memory_bytes = 0;
    [[nodiscard]] std::int64_t exact() const { return std::int64_t{milli} * kMillionthsPerMilli + millionths; }
  };
  [[nodiscard]] Share share_of(const CardRequest& request) const;
  [[nodiscard]] std::int64_t exact_free(std::size_t card) const {  // in millionths of a milli
    return std::int64_t{free[card]} * kMillionthsPerMilli + (millionths.empty() ? 0 : millionths[card]);
  }
  // The card has what the assignment takes of one.
  [[nodiscard]] bool has(std::size_t card, const CardAssignment& assignment) const {
    return exact_free(card) >= Share{assignment.milli, assignment.millionths, 0}.exact();
  }
  // All cards together have what the request takes of cards, cut as it may be; of memory nothing is said.
  [[nodiscard]] bool enough_in_sum(const CardRequest& request) const;
  // How many shares like this still fit, card by card.
  [[nodiscard]] std::int64_t shares_left(const CardRequest& request) const;

  // Chooses cards for a request; fewer than asked for, or none, if there is no room (a node may be overcommitted by
  // others). `wanted_card` is a policy's choice for a share, or -1.
  [[nodiscard]] CardAssignment choose(const CardRequest& request, std::int32_t wanted_card) const;
  void take(const CardAssignment& assignment) { change(assignment, -1); }
  void give_back(const CardAssignment& assignment) { change(assignment, 1); }

 private:
  [[nodiscard]] bool holds(std::size_t card, const Share& share) const {
    return free[card] >= share.milli && (share.millionths == 0 || exact_free(card) >= share.exact()) &&
           (memory_free.empty() || memory_free[card] >= share.memory_bytes);
  }
  void change(const CardAssignment& assignment, int sign);
};

}  // namespace berth::engine
