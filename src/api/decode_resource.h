// What the decoders of resource.k8s.io share: lists with limits, names in a form, taints and tolerations.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_set.hpp>

#include "api/decode_fields.h"
#include "api/resource.h"
#include "api/resource_names.h"

namespace berth::api {

void read(DecodeContext& context, const Value& value, DeviceTaint& out);
void read(DecodeContext& context, const Value& value, DeviceToleration& out);
void read(DecodeContext& context, const Value& value, DeviceSelector& out);
void read(DecodeContext& context, const Value& value, DeviceAttributes& out);
void read(DecodeContext& context, const Value& value, DeviceCapacities& out);
void read(DecodeContext& context, const Value& value, Device& out);
void read(DecodeContext& context, const Value& value, CounterSet& out);
void read(DecodeContext& context, const Value& value, ExactDeviceRequest& out);
void read(DecodeContext& context, const Value& value, DeviceSubRequest& out);
void read(DecodeContext& context, const Value& value, DeviceRequest& out);
void read(DecodeContext& context, const Value& value, DeviceConstraint& out);
void read(DecodeContext& context, const Value& value, DeviceClaimConfig& out);
void read(DecodeContext& context, const Value& value, DeviceAllocationResult& out);
void read(DecodeContext& context, const Value& value, DeviceAllocationConfig& out);
void read(DecodeContext& context, const Value& value, ClaimConsumer& out);
void read(DecodeContext& context, const Value& value, AllocatedDeviceStatus& out);
void read(DecodeContext& context, const Value& value, ResourcePool& out);
void read(DecodeContext& context, const Value& value, CapacityRequestPolicy& out);
void read(DecodeContext& context, const Value& value, ResourceClaimSpec& out);
void read(DecodeContext& context, const Value& value, ResourceClaimStatus& out);
// A map of quantities by qualified name.
void read_amounts(DecodeContext& context, const Value& value, ResourceList& out);
// One JSON object, as compact text of at most 10 KiB.
void read_raw_object(DecodeContext& context, const Value& value, std::string& out);
// {driver, parameters}.
void read(DecodeContext& context, const Value& value, OpaqueConfig& out);

// What a slice says about the policies of its capacities; needs all of the device.
void check_request_policies(DecodeContext& context, const Value& device, const Device& read);
// Each name, "a" or "a/b", is there once and is that of a request of the claim.
void check_request_names(DecodeContext& context, const Value& at, const std::vector<std::string>& names,
                         const ResourceClaimSpec& spec);
// What the status says fits the claim's spec and itself.
void check_status(DecodeContext& context, const Value& status, const ResourceClaim& read);
void check_skipped_operations(DecodeContext& context, const Value& value, const std::vector<std::string>& operations);
// The rules that bind the two lists of condition types together.
void check_binding_conditions(DecodeContext& context, const Value& at, const std::vector<std::string>& conditions,
                              const std::vector<std::string>& failures);

// False, with an error, if the list is longer than the API allows; such a list is not looked into.
[[nodiscard]] bool within_limit(DecodeContext& context, const Value& value, std::size_t most, std::string_view what);

template <class T>
void read_at_most(DecodeContext& context, const Value& value, std::size_t most, std::string_view what,
                  std::vector<T>& out) {
  if (value.is_array() && !within_limit(context, value, most, what)) return;
  read(context, value, out);
}

// A list of names of requests, of a constraint or a configuration.
template <auto kMember>
void request_names_member(DecodeContext& context, const Value& value,
                          typename MemberOf<decltype(kMember)>::Object& out) {
  constexpr std::size_t kMostNames = 32;
  read_at_most(context, value, kMostNames, "names of requests", out.*kMember);
}

// A string that must have no fault.
template <std::optional<std::string> (*kFault)(std::string_view)>
void read_name(DecodeContext& context, const Value& value, std::string& out) {
  if (!value.is_string()) return context.wrong_kind(value, "a string");
  out = value.text();
  if (auto fault = kFault(out)) context.error(value, *std::move(fault));
}

template <auto kMember, std::optional<std::string> (*kFault)(std::string_view)>
void name_member(DecodeContext& context, const Value& value, typename MemberOf<decltype(kMember)>::Object& out) {
  read_name<kFault>(context, value, out.*kMember);
}

// The API has these fields as pointers and wants them absent or true.
template <auto kMember>
void true_member(DecodeContext& context, const Value& value, typename MemberOf<decltype(kMember)>::Object& out) {
  read(context, value, out.*kMember);
  if (value.is_bool() && !value.is_true()) context.error(value, "This must be true; remove the field otherwise.");
}

template <auto kMember>
void shared_member(DecodeContext& context, const Value& value, typename MemberOf<decltype(kMember)>::Object& out) {
  std::remove_cvref_t<decltype(*(out.*kMember))> local;
  read(context, value, local);
  out.*kMember = std::move(local);
}

// An error if the field is missing; `where` is the object that should have it.
void require(DecodeContext& context, const Value& where, std::string_view field, std::string_view advice);

// No two elements with one name; the second one gets an error.
template <class T, class Name>
void require_distinct(DecodeContext& context, const Value& list, const std::vector<T>& items, Name name) {
  if (!list.is_array() || list.size() != items.size()) return;
  boost::unordered_flat_set<std::string_view> seen;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string_view key = std::invoke(name, items[i]);
    if (key.empty() || seen.insert(key).second) continue;
    const DecodeContext::Scope scope(context, i);
    context.error(list.items()[i],
                  "\"" + std::string(key.substr(0, 100)) + "\" is there twice; remove one of the two.");
  }
}

}  // namespace berth::api
