// Berth's placement policy by definition: every value from scratch, only the streams are dealt once. The slow twin of
// src/engine/score/policies/berth.h; docs/berth-policy.md has the definition.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
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

  // Milli-GPU that stay free after stream number `stream` of 32 was fed into the room.
  [[nodiscard]] std::int64_t left_by_stream(Room room, int stream) const;
  // In 1/1024 milli-GPU.
  [[nodiscard]] std::int64_t value(const Room& room) const;

  [[nodiscard]] bool is_due(const std::vector<Room>& rooms) const;
  void weigh(const std::vector<Room>& rooms);

 private:
  std::vector<TypicalPod> target_;
  std::vector<std::size_t> dealt_;   // positions in target_
  std::vector<std::int64_t> worth_;  // of one place, in 1/1024 milli-GPU
  std::int64_t weighed_free_ = -1;
};

}  // namespace berth::reference
