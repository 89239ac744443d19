// Moves that make room, by trying every sequence of them: the slow twin of src/engine/cycle/consolidation.h. A world of
// nodes with cards and CPU and pods that ask for whole cards or a share of one, with rules about the others in a zone;
// small worlds only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace berth::reference {

struct MovePod {
  std::int64_t cpu = 0;
  int cards = 0;
  int milli = 1000;  // per card
  bool movable = true;
  int group = 0;              // a label
  bool spread = false;        // over the zones among its group, with a skew of one at most
  std::optional<int> avoids;  // required anti-affinity: no such group in its zone
  std::optional<std::size_t> node;
  std::vector<std::size_t> on;  // its cards there
  bool moved = false;
  [[nodiscard]] std::int64_t price() const { return std::int64_t{cards} * milli; }
};

struct MoveNode {
  std::int64_t cpu = 0;   // free
  std::vector<int> free;  // milli per card
  int zone = 0;
};

class MoveWorld {
 public:
  std::vector<MoveNode> nodes;
  std::vector<MovePod> pods;

  [[nodiscard]] bool fits(std::size_t pod, std::size_t node) const;
  // A share takes the tightest card that suffices, whole cards the first free ones.
  void put(std::size_t pod, std::size_t node);
  void take(std::size_t pod);
  [[nodiscard]] int idle_nodes() const;  // with all cards free

  // The most idle nodes that at most so many moves leave, each pod moving once at most.
  [[nodiscard]] int most_idle(int moves);
  // The least price of at most so many moves after which the pending pod fits somewhere; none: no such moves.
  [[nodiscard]] std::optional<std::int64_t> cheapest_room(std::size_t pending, int moves);

 private:
  [[nodiscard]] int in_zone(int zone, int group) const;
  [[nodiscard]] bool keeps_spread(const MovePod& pod, int zone) const;
  [[nodiscard]] bool keeps_away(const MovePod& pod, int zone) const;
  template <class Visit>
  void for_each_plan(int moves, std::int64_t price, const Visit& visit);
};

}  // namespace berth::reference
