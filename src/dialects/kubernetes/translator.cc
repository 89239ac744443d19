#include "dialects/kubernetes/translator.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "api/full_name.h"
#include "api/pod_state.h"
#include "base/mutant.h"
#include "dialects/kubernetes/budget.h"
#include "dialects/kubernetes/card_shares.h"
#include "dialects/kubernetes/cards.h"
#include "dialects/kubernetes/config.h"
#include "dialects/kubernetes/node.h"
#include "dialects/kubernetes/selectors.h"

namespace berth::dialects::kubernetes {
namespace {

// Pointers to the objects in order of namespace and name.
template <class T>
std::vector<const api::Read<T>*> in_name_order(const std::vector<api::Read<T>>& objects) {
  std::vector<const api::Read<T>*> sorted;
  sorted.reserve(objects.size());
  for (const auto& read : objects) sorted.push_back(&read);
  std::ranges::stable_sort(sorted, [](const api::Read<T>* left, const api::Read<T>* right) {
    const auto& a = left->object.metadata;
    const auto& b = right->object.metadata;
    return std::tie(a.namespace_, a.name) < std::tie(b.namespace_, b.name);
  });
  return sorted;
}

bool is_taken_over(std::string_view scheduler_name) {
  constexpr std::array<std::string_view, 1> kSchedulers = {"kai-scheduler"};
  return std::ranges::find(kSchedulers, scheduler_name) != kSchedulers.end();
}

// True if the two differ in nothing but their names and ages, and nothing that they mean depends on a name: a pod's own
// volumes and device claims are called after it.
bool are_replicas(const api::Pod& a, const api::Pod& b) {
  const api::ObjectMeta& x = a.metadata;
  const api::ObjectMeta& y = b.metadata;
  return x.namespace_ == y.namespace_ && x.labels == y.labels && x.annotations == y.annotations &&
         x.owner_references == y.owner_references && x.deletion_timestamp == y.deletion_timestamp &&
         a.spec.volumes.empty() && a.spec.resource_claims.empty() && a.spec == b.spec && a.status == b.status;
}

// Keys of `told` that are not in `now`, in order of id.
template <class Told, class Now>
std::vector<engine::NameId> gone(const Told& told, const Now& now) {
  std::vector<engine::NameId> names;
  for (const auto& [name, input] : told) {
    if (!now.contains(name)) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

// Remembers the input; true if the engine has to be told.
template <class Told, class Input>
bool is_news(Told& told, const Input& input) {
  const auto [entry, fresh] = told.try_emplace(input.name, input);
  if (fresh) return true;
  if (entry->second == input) return false;
  entry->second = input;
  return true;
}

}  // namespace

Translator::Translator(api::SchedulerConfiguration configuration, engine::Names& names, TranslatorOptions options)
    : configuration_(std::move(configuration)),
      names_(names),
      options_(options),
      devices_(names, dra::SelectorRules::of(options.version, options.gates),
               options.gates.on(api::Gate::kExtendedResource), options.gates.on(api::Gate::kAdminAccess)),
      workloads_(names) {
  adopt_schedulers();
}

// Pods that ask for the scheduler of an ecosystem are scheduled like those of the first profile, unless the
// configuration has a profile of that name.
void Translator::adopt_schedulers() {
  if (configuration_.profiles.empty()) return;
  for (const std::string_view name : workloads_.scheduler_names()) {
    if (profile(name) != nullptr) continue;
    api::SchedulerProfile adopted = configuration_.profiles.front();
    adopted.scheduler_name = name;
    configuration_.profiles.push_back(std::move(adopted));
  }
}

engine::Config Translator::config() const {
  engine::Config config = engine_config(configuration_, names_);
  config.selectors = &devices_.selectors();
  config.device_features = dra::features_of(options_.version, options_.gates);
  return config;
}

const api::SchedulerProfile* Translator::profile(std::string_view scheduler_name) const {
  const auto find = [&](std::string_view name) {
    return std::ranges::find(configuration_.profiles, name, &api::SchedulerProfile::scheduler_name);
  };
  auto found = find(scheduler_name);
  // Pods of schedulers whose objects are understood here are taken over, unless a profile of that name says how.
  if (found == configuration_.profiles.end() && is_taken_over(scheduler_name)) found = configuration_.profiles.begin();
  return found == configuration_.profiles.end() ? nullptr : &*found;
}

const api::Read<api::Pod>* Translator::pod(engine::NameId name) const {
  const auto found = pods_.find(name);
  return found == pods_.end() ? nullptr : found->second;
}

const api::Read<api::Node>* Translator::node(engine::NameId name) const {
  const auto found = nodes_.find(name);
  return found == nodes_.end() ? nullptr : found->second;
}

engine::PodInput Translator::translate(const api::Pod& pod) {
  engine::PodInput input =
      pod_input(pod, profile(pod.spec.scheduler_name), context_, {options_.now, options_.excerpt}, devices_, names_);
  if (is_kai_reservation(pod))
    std::erase_if(input.shape.cards, [this](const engine::CardRequest& each) {
      return each.resource == names_.resources.find(kKaiCards);
    });
  if (!input.shape.cards.empty()) input.cards = kai_groups_.cards_of(pod, names_);
  add_membership(pod, input);
  return input;
}

bool Translator::is_member_alike(const api::Pod& pod, const engine::PodInput& other) const {
  const std::optional<workloads::Member> member = workloads_.member(pod);
  if (!member) return other.workload.is_none();
  return member->workload == other.workload && member->group == other.group;
}

void Translator::add_membership(const api::Pod& pod, engine::PodInput& input) const {
  const std::optional<workloads::Member> member = workloads_.member(pod);
  input.workload = member ? member->workload : engine::NameId::none();
  input.group = member ? member->group : engine::NameId::none();
  if (member && member->priority) input.shape.priority = *member->priority;
  auto& selectors = input.shape.node_selectors;
  // A replica comes with what the one before it was told.
  const bool there = member && member->nodes != nullptr && !selectors.empty() && selectors.back() == *member->nodes;
  if (member && member->nodes != nullptr && !there) selectors.push_back(*member->nodes);
  workloads_.amend(pod, input.shape);
}

std::vector<engine::Event> Translator::update(const api::ObjectSet& objects) {
  context_ = Context(objects);
  kai_groups_ = KaiGroups(objects);
  pods_.clear();
  nodes_.clear();
  left_out_.clear();
  remarks_.clear();
  std::vector<engine::Event> events;
  events.reserve(told_pods_.empty() ? objects.nodes.size() + objects.pods.size() : 0);
  workloads_.update({objects, context_, options_.now, &configuration_}, events);
  update_namespaces(objects, events);
  update_nodes(objects, events);
  update_budgets(objects, events);
  devices_.update(objects, events);
  remarks_.insert(remarks_.end(), workloads_.remarks().begin(), workloads_.remarks().end());
  update_pods(objects, events);
  return events;
}

void Translator::update_nodes(const api::ObjectSet& objects, std::vector<engine::Event>& events) {
  for (const auto* read : in_name_order(objects.nodes)) {
    engine::NodeInput input = node_input(read->object, names_);
    workloads_.amend(read->object, input);
    [[maybe_unused]] const bool fresh = nodes_.try_emplace(input.name, read).second;
    assert(fresh);  // the loader sees to it
    remark_on(*read);
    if (is_news(told_nodes_, input)) events.emplace_back(engine::NodeChanged{std::move(input)});
  }
  for (const engine::NameId name : gone(told_nodes_, nodes_)) {
    told_nodes_.erase(name);
    // The engine removes the pods of a node with it; they are news if they come back.
    erase_if(told_pods_, [name](const auto& told) { return told.second.common->node == name; });
    events.emplace_back(engine::NodeRemoved{name});
  }
}

void Translator::update_namespaces(const api::ObjectSet& objects, std::vector<engine::Event>& events) {
  std::set<engine::NamespaceId> present;
  for (const auto* read : in_name_order(objects.namespaces)) {
    api::StringMap map = read->object.metadata.labels;
    // The API server writes this label on every namespace.
    map.insert_or_assign("kubernetes.io/metadata.name", read->object.metadata.name);
    engine::Labels input = labels(map, names_);
    const engine::NamespaceId id = names_.namespaces.intern(read->object.metadata.name);
    present.insert(id);
    const auto [entry, fresh] = told_namespaces_.try_emplace(id, input);
    if (!fresh && entry->second == input) continue;
    entry->second = input;
    events.emplace_back(engine::NamespaceChanged{id, std::move(input)});
  }
  // A namespace that is gone has no labels, as one that was never read.
  std::set<engine::NamespaceId> gone_ones;
  for (const auto& [id, told] : told_namespaces_) {
    if (!present.contains(id)) gone_ones.insert(id);
  }
  for (const engine::NamespaceId id : gone_ones) {
    told_namespaces_.erase(id);
    events.emplace_back(engine::NamespaceChanged{id, {}});
  }
}

void Translator::update_budgets(const api::ObjectSet& objects, std::vector<engine::Event>& events) {
  ByName<bool> seen;
  for (engine::BudgetInput& input : budgets(objects, names_)) {
    if (!seen.try_emplace(input.name, true).second) continue;
    if (is_news(told_budgets_, input)) events.emplace_back(engine::BudgetChanged{std::move(input)});
  }
  for (const engine::NameId name : gone(told_budgets_, seen)) {
    told_budgets_.erase(name);
    events.emplace_back(engine::BudgetRemoved{name});
  }
}

void Translator::update_pods(const api::ObjectSet& objects, std::vector<engine::Event>& events) {
  std::vector<engine::Event> changes;
  // The first time nobody is gone, so changes need not wait for that.
  const bool first = told_pods_.empty();
  std::vector<engine::Event>& told = first ? events : changes;
  pods_.reserve(objects.pods.size());
  told_pods_.reserve(objects.pods.size());
  const api::Pod* before = nullptr;                // the last one that was translated
  std::shared_ptr<const engine::PodInput> common;  // what it has in common with its replicas
  for (const auto* read : in_name_order(objects.pods)) {
    const api::Pod& pod = read->object;
    const engine::NameId name = names_.names.intern(api::full_name(pod.metadata));
    if (is_finished(pod) && !mutant("Rule.FinishedPodsHoldNothing")) {
      left_out_.push_back({read, LeftOut::Cause::kFinished});
    } else if (pod.spec.node_name.empty() && pod.metadata.deletion_timestamp) {
      left_out_.push_back({read, LeftOut::Cause::kTerminating});
    } else if (!pod.spec.node_name.empty() && !nodes_.contains(names_.names.find(pod.spec.node_name))) {
      left_out_.push_back({read, LeftOut::Cause::kUnknownNode});
    } else {
      remark_on(*read);
      [[maybe_unused]] const bool fresh = pods_.try_emplace(name, read).second;
      assert(fresh);  // the loader sees to it, and the controllers
      // Replicas stand next to each other and mean the same.
      // Replicas of a basic group are workloads of their own all the same, and claims for extended resources that
      // devices serve are each pod's own.
      if (before == nullptr || !common->claims.empty() || !are_replicas(pod, *before) ||
          !is_member_alike(pod, *common)) {
        engine::PodInput input = translate(pod);
        input.name = engine::NameId::none();
        input.created = 0;
        // Pods with claims of one kind are no replicas, and may mean the same all the same.
        if (common == nullptr || *common != input) common = std::make_shared<const engine::PodInput>(std::move(input));
      }
      before = &pod;
      const api::Time created = pod.metadata.creation_timestamp.value_or(options_.now);
      ToldPod& entry = told_pods_[name];
      if (entry.common != nullptr && entry.created == created && (entry.common == common || *entry.common == *common))
        continue;
      entry = {common, created};
      engine::PodChanged event{*common};
      event.pod.name = name;
      event.pod.created = created;
      told.emplace_back(std::move(event));
    }
  }
  if (first) return;
  // Who leaves makes room before anybody comes.
  for (const engine::NameId name : gone(told_pods_, pods_)) {
    told_pods_.erase(name);
    events.emplace_back(engine::PodRemoved{name});
  }
  events.insert(events.end(), std::make_move_iterator(changes.begin()), std::make_move_iterator(changes.end()));
}

void Translator::remark(ErrorCode code, std::string message, const Place& place) {
  remarks_.push_back(Error{code, std::move(message), place});
}

void Translator::remark_on(const api::Read<api::Node>& read) {
  const api::Node& node = read.object;
  const api::ResourceList& offered = node.allocatable.empty() ? node.capacity : node.allocatable;
  for (const auto& [name, quantity] : offered) {
    if (!is_card_resource(name) || quantity.value() <= kMaxCardsPerNode) continue;
    Place place = read.place;
    place.field = "status.allocatable[" + name + "]";
    remark(ErrorCode::kLimit,
           "The node offers " + quantity.to_string() + " cards; only " + std::to_string(kMaxCardsPerNode) +
               " of them are used. Check the count.",
           place);
  }
  const auto cards = volcano_cards(node, names_);
  if (!cards || cards->unreadable.empty()) return;
  Place place = read.place;
  place.field = fmt::format("metadata.annotations[{}]", kVolcanoRegisterAnnotation);
  const std::size_t count = cards->unreadable.size();
  remark(ErrorCode::kInvalid,
         fmt::format("\"{}\"{} {} no card with its memory in MiB, so {} left out. Write UUID,SLOTS,MEMORY,TYPE,HEALTH.",
                     cards->unreadable.front(), count > 1 ? fmt::format(" and {} more", count - 1) : "",
                     count > 1 ? "are" : "is", count > 1 ? "they are" : "it is"),
         place);
}

void Translator::remark_on(const api::Read<api::Pod>& read) {
  const api::Pod& pod = read.object;
  if (context_.priority(pod.spec).class_missing) {
    Place place = read.place;
    place.field = "spec.priorityClassName";
    remark(ErrorCode::kNotFound,
           "PriorityClass \"" + pod.spec.priority_class_name +
               "\" is not among the objects, so the pod has priority 0. Add the class to the input.",
           place);
  }
  if (const auto text = pod.metadata.annotations.find(kRunsForAnnotation);
      text != pod.metadata.annotations.end() && !declared_run_time(pod.metadata.annotations)) {
    Place place = read.place;
    place.field = "metadata.annotations[" + text->first + "]";
    remark(ErrorCode::kInvalid,
           "\"" + text->second + "\" is no run time, so none is known. Write whole seconds, such as \"3600\".", place);
  }
  if (!options_.excerpt || !pod.spec.node_name.empty()) return;
  for (const auto& volume : pod.spec.volumes) {
    const auto* claim = context_.claim(pod.metadata.namespace_, volume.persistent_volume_claim);
    if (claim == nullptr || claim->volume_name.empty() || context_.volume(claim->volume_name) != nullptr) continue;
    remark(ErrorCode::kNotFound,
           "PersistentVolume \"" + claim->volume_name + "\" of claim " + claim->metadata.name +
               " is not among the objects; it is taken to be reachable from every node. Add it to the input.",
           read.place);
  }
}

}  // namespace berth::dialects::kubernetes
