#include "controllers/admission.h"

#include <algorithm>
#include <span>
#include <utility>

#include "controllers/reconcile.h"

namespace berth::controllers {
namespace {

void fill_in(const api::ResourceList& from, api::ResourceList& to) { to.insert(from.begin(), from.end()); }

void apply(const api::LimitRange& limits, std::vector<api::Container>& containers) {
  for (api::Container& container : containers) {
    fill_in(limits.container_requests, container.resources.requests);
    fill_in(limits.container_limits, container.resources.limits);
  }
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
  for (auto& [name, limits] : limits_)
    std::ranges::sort(limits, {}, [](const api::LimitRange* range) { return range->metadata.name; });
}

std::optional<std::string> Admission::admit(api::Pod& pod) const {
  if (!limits_.empty()) {
    if (const auto found = limits_.find(pod.metadata.namespace_); found != limits_.end()) {
      for (const api::LimitRange* limits : found->second) {
        apply(*limits, pod.spec.containers);
        apply(*limits, pod.spec.init_containers);
      }
    }
  }
  if (pod.spec.runtime_class_name.empty()) return std::nullopt;
  const auto found = classes_.find(pod.spec.runtime_class_name);
  if (found == classes_.end()) return std::nullopt;
  if (auto fault = conflict(*found->second, pod.spec)) return fault;
  apply(*found->second, pod.spec);
  return std::nullopt;
}

std::vector<Error> admit_pods(api::ObjectSet& objects, std::size_t first) {
  std::vector<Error> remarks;
  if (objects.runtime_classes.empty() && objects.limit_ranges.empty()) return remarks;
  const Admission admission(objects);
  for (auto& read : std::span(objects.pods).subspan(first)) {
    if (!read.object.metadata.uid.empty() || !read.object.spec.node_name.empty()) continue;
    if (auto fault = admission.admit(read.object))
      remarks.push_back(Error{ErrorCode::kInvalid, *std::move(fault), read.place});
  }
  return remarks;
}

}  // namespace berth::controllers
