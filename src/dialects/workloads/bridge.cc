#include "dialects/workloads/bridge.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "dialects/workloads/wishes.h"

namespace berth::dialects::workloads {
namespace {

// Tells the engine what is new among `inputs` and what is gone, and remembers it. `Changed` and `Removed` are events.
template <class Changed, class Removed, class Told, class Input>
void tell(Told& told, std::vector<Input>& inputs, std::vector<engine::Event>& events) {
  Told now;
  now.reserve(inputs.size());
  std::vector<engine::Event> changes;
  for (Input& input : inputs) {
    const auto [entry, fresh] = now.try_emplace(input.name, std::move(input));
    if (!fresh) continue;
    const auto before = told.find(entry->first);
    if (before == told.end() || before->second != entry->second) changes.emplace_back(Changed{entry->second});
  }
  std::vector<engine::NameId> gone;
  for (const auto& [name, input] : told)
    if (!now.contains(name)) gone.push_back(name);
  std::ranges::sort(gone);
  for (const engine::NameId name : gone) events.emplace_back(Removed{name});
  events.insert(events.end(), std::make_move_iterator(changes.begin()), std::make_move_iterator(changes.end()));
  told = std::move(now);
}

engine::GroupInput* leaf_of(engine::WorkloadInput& workload, engine::NameId group) {
  std::vector<bool> has_children(workload.groups.size(), false);
  for (std::size_t i = 1; i < workload.groups.size(); ++i) has_children[workload.groups[i].parent] = true;
  for (std::size_t i = 0; i < workload.groups.size(); ++i) {
    if (!has_children[i] && (group.is_none() || workload.groups[i].name == group)) return &workload.groups[i];
  }
  return nullptr;
}

}  // namespace

Bridge::Bridge(engine::Names& names) : names_(names), ecosystems_(all_ecosystems(names)) {}

std::vector<std::string_view> Bridge::scheduler_names() const {
  std::vector<std::string_view> result;
  for (const auto& ecosystem : ecosystems_) {
    const std::vector<std::string_view> own = ecosystem->scheduler_names();
    result.insert(result.end(), own.begin(), own.end());
  }
  return result;
}

void Bridge::write_statuses(const Standings& standings, api::ObjectSet& objects) const {
  for (const auto& ecosystem : ecosystems_) ecosystem->write_statuses(standings, objects);
}

void Bridge::write_preemption(engine::NameId workload, api::Time now, api::ObjectSet& objects) const {
  for (const auto& ecosystem : ecosystems_) ecosystem->write_preemption(workload, now, objects);
}

std::vector<ObjectCondition> Bridge::conditions(const api::ObjectSet& objects) const {
  std::vector<ObjectCondition> result;
  for (const auto& ecosystem : ecosystems_) ecosystem->add_conditions(objects, result);
  return result;
}

void Bridge::update(const Scene& scene, std::vector<engine::Event>& events) {
  Reading reading;
  for (const auto& ecosystem : ecosystems_) ecosystem->read(scene, reading);
  if (!reading.workloads.empty()) count_succeeded(scene.objects, reading.workloads);
  resolve_queues(reading);
  for (engine::WorkloadInput& workload : reading.workloads) hand_down_slices(workload);
  objects_ = std::move(reading.objects);
  remarks_ = std::move(reading.remarks);
  tell<engine::TopologyChanged, engine::TopologyRemoved>(told_topologies_, reading.topologies, events);
  tell<engine::QueueChanged, engine::QueueRemoved>(told_queues_, reading.queues, events);
  tell<engine::WorkloadChanged, engine::WorkloadRemoved>(told_workloads_, reading.workloads, events);
}

std::optional<Member> Bridge::member(const api::Pod& pod) const {
  for (const auto& ecosystem : ecosystems_)
    if (auto member = ecosystem->member(pod)) return member;
  return std::nullopt;
}

void Bridge::amend(const api::Node& node, engine::NodeInput& input) const {
  for (const auto& ecosystem : ecosystems_) ecosystem->amend(node, input);
}

void Bridge::amend(const api::Pod& pod, engine::ShapeInput& shape) const {
  for (const auto& ecosystem : ecosystems_) ecosystem->amend(pod, shape);
}

std::vector<std::string> Bridge::lineage(const api::Pod& pod) const {
  std::vector<std::string> result;
  for (const auto& ecosystem : ecosystems_) {
    ecosystem->add_lineage(pod, result);
    if (!result.empty()) break;
  }
  return result;
}

// Members that ended well hold nothing, so the engine is not told of them, and still count.
void Bridge::count_succeeded(const api::ObjectSet& objects, std::vector<engine::WorkloadInput>& workloads) const {
  ByName<engine::WorkloadInput*> by_name;
  for (const auto& read : objects.pods) {
    if (read.object.status.phase != api::PodPhase::kSucceeded) continue;
    const std::optional<Member> member = this->member(read.object);
    if (!member) continue;
    if (by_name.empty())
      for (engine::WorkloadInput& workload : workloads) by_name.try_emplace(workload.name, &workload);
    const auto found = by_name.find(member->workload);
    if (found == by_name.end()) continue;
    if (engine::GroupInput* leaf = leaf_of(*found->second, member->group)) ++leaf->succeeded;
  }
}

// A queue may be named without its ecosystem where only one has a queue of that name.
void Bridge::resolve_queues(Reading& reading) const {
  boost::unordered_flat_map<std::string, std::vector<engine::NameId>> by_last_part;
  ByName<bool> known;
  for (const engine::QueueInput& queue : reading.queues) {
    const std::string_view text = names_.names.text(queue.name);
    if (!known.try_emplace(queue.name, true).second) continue;
    by_last_part[std::string(text.substr(text.find('/') + 1))].push_back(queue.name);
  }
  for (engine::WorkloadInput& workload : reading.workloads) {
    for (engine::NameId& queue : workload.queues) {
      if (known.contains(queue)) continue;
      const auto found = by_last_part.find(std::string(names_.names.text(queue)));
      if (found != by_last_part.end() && found->second.size() == 1) queue = found->second.front();
    }
  }
}

}  // namespace berth::dialects::workloads
