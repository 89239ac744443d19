#include "engine/topology/room.h"

#include <algorithm>

#include "engine/fit/capacity.h"

namespace berth::engine {

Room::Room(const World& world, ShapeId example, bool lifted)
    : world_(world), shape_(world.shape(example)), question_{world, shape_, no_rules_, false, lifted} {
  rebuild();
}

void Room::rebuild() {
  layout_ = world_.layout();
  label_changes_ = world_.label_changes();
  cursor_ = world_.log().end();
  on_node_.assign(world_.node_slots(), 0);
  total_ = 0;
  sums_.clear();
  for (const NodeId node : world_.by_rank()) {
    on_node_[node.index()] = how_many_fit(question_, node);
    total_ += on_node_[node.index()];
  }
}

void Room::update(NodeId node) {
  const std::int64_t change = std::int64_t{how_many_fit(question_, node)} - on_node_[node.index()];
  if (change == 0) return;
  on_node_[node.index()] += static_cast<std::int32_t>(change);
  total_ += change;
  for (Sums& each : sums_) {
    const std::uint32_t domain = each.tree->domain_of(each.level, node);
    if (domain != DomainTree::kNone) each.sums[domain] += change;
  }
}

void Room::catch_up() {
  const bool far_behind = world_.log().end() - cursor_ > 2 * world_.rank_count() + 64;
  if (layout_ != world_.layout() || label_changes_ != world_.label_changes() || cursor_ < world_.log().begin() ||
      far_behind)
    return rebuild();
  for (; cursor_ < world_.log().end(); ++cursor_) {
    if (world_.log().is_latest(cursor_)) update(world_.log().at(cursor_));
  }
}

const std::vector<std::int64_t>& Room::per_domain(const DomainTree& tree, std::size_t level) {
  for (const Sums& each : sums_) {
    if (each.tree == &tree && each.level == level) return each.sums;
  }
  Sums made{&tree, level, std::vector<std::int64_t>(tree.domains(level).size(), 0)};
  for (std::size_t i = 0; i < made.sums.size(); ++i) {
    for (const NodeId node : tree.domains(level)[i].nodes) made.sums[i] += on_node_[node.index()];
  }
  return sums_.emplace_back(std::move(made)).sums;
}

Room& Rooms::of(ShapeId shape) {
  constexpr std::size_t kMost = 256;
  Kept& kept = kept_[world_.shape(shape).search];
  if (kept.room == nullptr) {
    kept.room = std::make_unique<Room>(world_, world_.shapes().example(world_.shape(shape).search), lifted_);
  } else {
    kept.room->catch_up();
  }
  kept.last_use = ++uses_;
  Room& result = *kept.room;
  if (kept_.size() > kMost)
    kept_.erase(std::ranges::min_element(kept_, {}, [](const auto& e) { return e.second.last_use; }));
  return result;
}

}  // namespace berth::engine
