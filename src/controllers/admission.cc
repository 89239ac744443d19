#include "controllers/admission.h"

#include <algorithm>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "base/mutant.h"
#include "controllers/reconcile.h"
#include "controllers/told.h"

namespace berth::controllers {
namespace {

void fill_in(const api::ResourceList& from, api::ResourceList& to) { to.insert(from.begin(), from.end()); }

void apply(const api::LimitRange& limits, std::vector<api::Container>& containers) {
  for (api::Container& container : containers) {
    fill_in(limits.container_requests, container.resources.requests);
    fill_in(limits.container_limits, container.resources.limits);
  }
}

// Who comes behind others that give all the resources that it gives changes no pod.
void drop_idle(std::vector<const api::LimitRange*>& in_order) {
  std::set<std::string_view> limits;
  std::set<std::string_view> requests;
  std::erase_if(in_order, [&](const api::LimitRange* range) {
    bool idle = true;
    for (const auto& [resource, amount] : range->container_limits) idle = !limits.insert(resource).second && idle;
    for (const auto& [resource, amount] : range->container_requests) idle = !requests.insert(resource).second && idle;
    return idle;
  });
}

// A limit that a LimitRange gives may lie below what the container asks for.
std::optional<std::string> conflict(const api::LimitRange& limits, const std::vector<api::Container>& containers) {
  for (const api::Container& container : containers) {
    for (const auto& [resource, limit] : limits.container_limits) {
      const auto asked = container.resources.requests.find(resource);
      if (asked == container.resources.requests.end() || container.resources.limits.contains(resource) ||
          asked->second <= limit)
        continue;
      return "LimitRange \"" + limits.metadata.name + "\" limits " + resource + " of container " + container.name +
             " to less than it asks for, so the API server refuses the pod; write a limit into the pod.";
    }
  }
  return std::nullopt;
}

// Only a RuntimeClass may bring overhead with it. Of a class that is not among the objects nothing is known.
std::optional<std::string> stray_overhead(const api::PodSpec& spec, const api::RuntimeClass* runtime_class) {
  const bool unknown = runtime_class == nullptr && !spec.runtime_class_name.empty();
  if (spec.overhead.empty() || unknown || (runtime_class != nullptr && !runtime_class->overhead.empty()))
    return std::nullopt;
  return "The pod has overhead that no RuntimeClass gives it, so the API server refuses the pod; leave overhead out of "
         "it or name a runtimeClassName that has it.";
}

std::optional<std::string> conflict(const api::RuntimeClass& runtime_class, const api::PodSpec& spec) {
  const std::string who = "RuntimeClass \"" + runtime_class.metadata.name + "\"";
  if (!runtime_class.overhead.empty() && !spec.overhead.empty() && runtime_class.overhead != spec.overhead)
    return who + " has another overhead than the pod, so the API server refuses the pod; leave overhead out of it.";
  for (const auto& [key, value] : runtime_class.node_selector) {
    const auto own = spec.node_selector.find(key);
    if (own == spec.node_selector.end() || own->second == value) continue;
    return who + " wants nodes with " + key + "=" + value + " and the pod those with " + key + "=" + own->second +
           ", so the API server refuses the pod; correct its nodeSelector.";
  }
  return std::nullopt;
}

void apply(const api::RuntimeClass& runtime_class, api::PodSpec& spec) {
  if (!runtime_class.overhead.empty()) spec.overhead = runtime_class.overhead;
  spec.node_selector.insert(runtime_class.node_selector.begin(), runtime_class.node_selector.end());
  for (const api::Toleration& toleration : runtime_class.tolerations) {
    if (std::ranges::find(spec.tolerations, toleration) == spec.tolerations.end())
      spec.tolerations.push_back(toleration);
  }
}

}  // namespace

Admission::Admission(const api::ObjectSet& objects) {
  for (const auto& read : objects.runtime_classes) classes_.try_emplace(read.object.metadata.name, &read.object);
  for (const auto& read : objects.limit_ranges) limits_[read.object.metadata.namespace_].push_back(&read.object);
  for (auto& [name, limits] : limits_) {
    std::ranges::sort(limits, {}, [](const api::LimitRange* range) { return range->metadata.name; });
    drop_idle(limits);
  }
}

std::optional<std::string> Admission::admit(api::Pod& pod) const {
  std::optional<std::string> fault;
  if (!limits_.empty() && !mutant("Rule.LimitRange")) {
    if (const auto found = limits_.find(pod.metadata.namespace_); found != limits_.end()) {
      for (const api::LimitRange* limits : found->second) {
        for (std::vector<api::Container>* containers : {&pod.spec.containers, &pod.spec.init_containers}) {
          if (!fault) fault = conflict(*limits, *containers);
          apply(*limits, *containers);
        }
      }
    }
  }
  const auto found = classes_.find(pod.spec.runtime_class_name);
  const api::RuntimeClass* const runtime_class = found == classes_.end() ? nullptr : found->second;
  if (!fault) fault = stray_overhead(pod.spec, runtime_class);
  if (runtime_class == nullptr || mutant("Rule.RuntimeClass")) return fault;
  if (auto other = conflict(*runtime_class, pod.spec)) return fault ? fault : other;
  apply(*runtime_class, pod.spec);
  return fault;
}

std::vector<Error> admit_pods(api::ObjectSet& objects, std::size_t first) {
  std::vector<Error> remarks;
  const Admission admission(objects);
  for (auto& read : std::span(objects.pods).subspan(first)) {
    if (!read.object.metadata.uid.empty() || !read.object.spec.node_name.empty()) continue;
    if (auto fault = admission.admit(read.object))
      tell(remarks, Error{ErrorCode::kInvalid, *std::move(fault), read.place});
  }
  return remarks;
}

}  // namespace berth::controllers
