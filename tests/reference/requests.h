// What a pod asks for, following the API's rules for containers, init containers, sidecars, overhead, pod-level
// resources and in-place resize. Source: the resource accounting of kube-scheduler 1.37 (KEP-753, KEP-2837, KEP-1287).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "api/core.h"

namespace berth::reference {

using Nanos = api::Quantity::Wide;
using Amounts = std::map<std::string, Nanos, std::less<>>;

struct RequestRules {
  bool assume_cpu = false;        // a container without a cpu entry counts 100m
  bool assume_memory = false;     // a container without a memory entry counts 200Mi
  bool ignore_pod_level = false;  // spec.resources is not looked at
};

[[nodiscard]] Amounts pod_requests(const api::Pod& pod, const RequestRules& rules);

// cpu in milli and cards in milli of a card; everything else in whole units. Rounded up.
[[nodiscard]] std::int64_t scheduler_units(std::string_view resource, Nanos amount);

// Names the scheduler keeps count of; others are not seen at all.
[[nodiscard]] bool is_counted(std::string_view resource);
// Counted, but none of cpu, memory, ephemeral-storage and pods.
[[nodiscard]] bool is_scalar(std::string_view resource);
[[nodiscard]] bool is_extended(std::string_view resource);

[[nodiscard]] std::int64_t allocatable(const api::Node& node, std::string_view resource);
[[nodiscard]] bool has_allocatable(const api::Node& node, std::string_view resource);

// What the pod holds once placed: every counted resource of its requests, a share of a card in milli.
[[nodiscard]] std::map<std::string, std::int64_t, std::less<>> held_requests(const api::Pod& pod);
// The same for cpu or memory with the assumed amounts, as scores count it for placed pods.
[[nodiscard]] std::int64_t held_nonzero(const api::Pod& pod, std::string_view resource);

// The milli of one card the pod asks for, or 0 if it asks for whole cards or none.
[[nodiscard]] std::int64_t card_share(const api::Pod& pod);

}  // namespace berth::reference
