// Berth's placement policy by definition: every value from scratch, only the streams are dealt once. The slow twin of
// src/engine/score/policies/berth.h; docs/berth-policy.md has the definition.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "reference/openb_study.h"

namespace berth::reference {

struct Room {
  std::int64_t cpu = 0;   // milli
  std::vector<int> free;  // milli per card
  std::string model;
};

class BerthTwin {
 public:
  explicit BerthTwin(std::vector<TypicalPod> target);

  // Milli-GPU, in tens, that stay free after stream number `stream` of 32 was fed into the room.
  [[nodiscard]] std::int64_t left_by_stream(Room room, int stream) const;
  // What the room earns at the prices of now, in 1/1024 milli-GPU.
  [[nodiscard]] std::int64_t earnings(const Room& room) const;
  // In 1/1024 milli-GPU.
  [[nodiscard]] std::int64_t value(const Room& room) const;

  // Pods start and leave with so many milli-GPU.
  void started(std::int64_t milli) { started_ += milli; }
  void left(std::int64_t milli) { left_ += milli; }

  [[nodiscard]] bool is_due(const std::vector<Room>& rooms) const;
  void weigh(const std::vector<Room>& rooms);

 private:
  // The best use of some free cells of a card, or of some whole free cards, at the prices of now.
  struct Use {
    std::int64_t earns = 0;
    std::vector<std::size_t> pods;  // positions in target_
    int cards_for_shares = 0;
  };
  struct Uses {
    std::vector<Use> of_card;   // by free cells
    std::vector<Use> of_cards;  // by number of them
  };
  // At one price of CPU, in 1/1024 milli-GPU for a milli.
  [[nodiscard]] std::int64_t net(std::size_t shape, std::int64_t cpu_price) const;
  [[nodiscard]] std::vector<Use> uses_of_card(const std::string& model, std::int64_t cpu_price) const;
  [[nodiscard]] std::vector<Use> uses_of_cards(const std::string& model, std::int64_t cpu_price) const;
  [[nodiscard]] const Uses& uses(const std::string& model, std::int64_t cpu_price) const;
  [[nodiscard]] std::int64_t bill(const Room& room, std::int64_t cpu_price) const;
  [[nodiscard]] std::int64_t cheapest(const Room& room) const;  // price of CPU
  [[nodiscard]] std::vector<std::int64_t> used(const std::vector<Room>& rooms) const;
  void settle(const std::vector<Room>& rooms);

  std::vector<TypicalPod> target_;
  std::vector<std::size_t> dealt_;                                     // positions in target_
  std::vector<std::int64_t> worth_;                                    // of one place, in 1/1024 milli-GPU
  std::vector<std::int64_t> price_;                                    // in 1/1024 milli-GPU
  mutable std::map<std::pair<std::string, std::int64_t>, Uses> uses_;  // by model and price of CPU
  std::int64_t weighed_free_ = -1;
  std::int64_t weighed_all_ = 0;
  std::int64_t started_ = 0;
  std::int64_t left_ = 0;
  std::int64_t leaving_ = 0;  // in 16ths
};

}  // namespace berth::reference
