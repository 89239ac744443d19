// Snapshot: the nodes with the pods that hold room on them at one moment. Pods are added and taken away by the
// scheduling loop; nothing is remembered between questions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reference/objects.h"

namespace berth::reference {

// A pod on a node with what it holds, worked out once when it is put there.
struct PlacedPod {
  const api::Pod* pod = nullptr;
  std::map<std::string, std::int64_t, std::less<>> requests;  // scheduler units; counted resources only
  std::int64_t nonzero_cpu = 0;     // milli; what scores assume where a container asks for nothing
  std::int64_t nonzero_memory = 0;  // bytes
  std::vector<std::size_t> cards;   // positions of the cards it holds, ascending
  // Of kinds of cards that are not told apart: how many were left for it, by resource.
  std::map<std::string, std::int64_t, std::less<>> found;
};

struct NodeState {
  const api::Node* node = nullptr;
  std::vector<PlacedPod> pods;

  [[nodiscard]] std::int64_t used(std::string_view resource) const;
  [[nodiscard]] std::int64_t found(std::string_view resource) const;
};

class RoomKeeper;

struct Snapshot {
  const Objects* objects = nullptr;
  std::vector<NodeState> nodes;            // in the order of objects->nodes
  std::vector<const api::Pod*> promised;   // that wait for a node that was promised them; in order of their names
  std::vector<const api::Pod*> withdrawn;  // whose promise was taken back
  const RoomKeeper* rooms = nullptr;       // for RoomValue; null where no profile scores with it
};

// Every pod that is bound to a known node and has not finished, terminating ones included.
[[nodiscard]] Snapshot take_snapshot(const Objects& objects);
// Nodes without any pod.
[[nodiscard]] Snapshot emptied(const Objects& objects);

// Puts the pod on the node and gives it cards, a share the one that is wanted. The caller has made sure that it fits.
void put(NodeState& state, const api::Pod& pod, std::optional<std::size_t> wanted_card = std::nullopt);

[[nodiscard]] bool is_finished(const api::Pod& pod);

}  // namespace berth::reference
