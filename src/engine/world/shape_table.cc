#include "engine/world/shape_table.h"

#include <algorithm>

#include "engine/world/free_slots.h"
#include "engine/world/selectors.h"

namespace berth::engine {

ShapeTable::Interned ShapeTable::intern(const ShapeInput& input) {
  std::vector<ShapeId>& same_hash = shape_ids_[ContentHasher{}(input)];
  for (const ShapeId id : same_hash) {
    if (shapes_[id.index()].input == input) return {id, false};
  }
  const ShapeId id = take_slot(shapes_, free_shapes_);
  same_hash.push_back(id);
  ++unused_;
  shapes_[id.index()] = make(input);
  join_search(id);
  return {id, true};
}

Shape ShapeTable::make(const ShapeInput& input) const {
  Shape made;
  made.input = input;
  for (const Profile& profile : config_.profiles) {
    if (profile.id == input.profile) made.profile = &profile;
  }
  made.kind = card_kind(input);
  made.charge = charge_of(input);
  if (made.profile != nullptr) made.narrowed_to = narrow(input, *made.profile);
  made.tolerates_unschedulable = tolerates_cordons(input);
  return made;
}

bool ShapeTable::tolerates_cordons(const ShapeInput& input) const {
  const Taint cordon{names_.label_keys.find("node.kubernetes.io/unschedulable"), names_.find_label_value(""),
                     Effect::kNoSchedule};
  return std::ranges::any_of(input.tolerations, [&](const Toleration& toleration) {
    // A key or value that nobody has named yet is named by no toleration either.
    const bool any_key = toleration.key.is_none();
    const bool exists = toleration.match == Toleration::Match::kExists;
    return (any_key || !cordon.key.is_none()) && (exists || !cordon.value.is_none()) && tolerates(toleration, cordon);
  });
}

void ShapeTable::join_search(ShapeId id) {
  Shape& made = shapes_[id.index()];
  const SearchId next = free_searches_.empty() ? SearchId(examples_.size()) : free_searches_.back();
  const auto [entry, added] = search_ids_.try_emplace(search_part(made.input), next);
  made.search = entry->second;
  if (!added) return;
  if (free_searches_.empty()) {
    examples_.push_back(id);
  } else {
    free_searches_.pop_back();
    examples_[next.index()] = id;
  }
}

void ShapeTable::use(ShapeId id, int delta) {
  std::uint32_t& users = shapes_[id.index()].users;
  if (users == 0) --unused_;
  users += static_cast<std::uint32_t>(delta);
  if (users == 0) ++unused_;
}

bool ShapeTable::wants_sweep() const {
  constexpr std::size_t kFewest = 8;
  const std::size_t used = shapes_.size() - free_shapes_.size() - unused_;
  return unused_ > used + kFewest;
}

void ShapeTable::free(ShapeId id) {
  Shape& shape = shapes_[id.index()];
  const auto entry = shape_ids_.find(ContentHasher{}(shape.input));
  std::erase(entry->second, id);
  if (entry->second.empty()) shape_ids_.erase(entry);
  shape = Shape{};
  free_shapes_.push_back(id);
}

ShapeTable::Swept ShapeTable::sweep() {
  Swept swept;
  std::vector<ShapeId> heirs(examples_.size());  // a shape that stays, by search part
  const std::size_t freed_before = free_shapes_.size();
  std::vector<std::uint8_t> is_free(shapes_.size(), 0);
  for (const ShapeId id : free_shapes_) is_free[id.index()] = 1;
  for (std::size_t i = 0; i < shapes_.size(); ++i) {
    if (is_free[i] != 0) continue;
    if (shapes_[i].users == 0) {
      swept.shapes.emplace_back(i);
    } else {
      heirs[shapes_[i].search.index()] = ShapeId(i);
    }
  }
  for (std::size_t i = 0; i < examples_.size(); ++i) {
    const ShapeId example = examples_[i];
    if (example.is_none() || shapes_[example.index()].users > 0) continue;
    const SearchId search(i);
    swept.searches.push_back(search);
    if (heirs[i].is_none()) {
      search_ids_.erase(search_part(shapes_[example.index()].input));
      free_searches_.push_back(search);
    }
    examples_[i] = heirs[i];
  }
  for (const ShapeId id : swept.shapes) free(id);
  unused_ -= free_shapes_.size() - freed_before;
  return swept;
}

}  // namespace berth::engine
