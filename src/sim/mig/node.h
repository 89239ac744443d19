// A node with MIG cards, held by the engine's device inventory.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/devices/allocator.h"
#include "engine/devices/inventory.h"
#include "sim/mig/card.h"

namespace berth::sim::mig {

struct Partition {
  std::size_t profile = 0;
  int card = 0;
  int start = 0;
};

class Node {
 public:
  Node(Card card, int cards);

  // The partition that the allocator chooses for a claim of one partition of the profile, or none.
  [[nodiscard]] std::optional<Partition> ask(std::size_t profile, engine::devices::Mode mode) const;
  void take(const Partition& partition);
  void give_back(const Partition& partition);
  [[nodiscard]] Mask taken(int card) const { return taken_[static_cast<std::size_t>(card)]; }
  [[nodiscard]] int cards() const { return static_cast<int>(taken_.size()); }

 private:
  engine::Names names_;
  engine::devices::Catalogue catalogue_;
  engine::devices::Inventory inventory_{names_, catalogue_};
  engine::devices::AnswerTable answers_;
  engine::devices::Usage usage_;
  engine::devices::NodeDevices devices_;
  std::array<engine::devices::Claim, kProfiles> claims_;
  std::vector<Partition> partitions_;  // by position in devices_
  std::vector<Mask> taken_;
};

}  // namespace berth::sim::mig
