// DeviceClass, ResourceClaim, ResourceClaimTemplate: what is asked for. Their status is in decode_claim_status.cc.
#include "api/decode_nvidia.h"
#include "api/decode_objects.h"
#include "api/decode_resource.h"
#include "api/selector.h"
#include "text/json_writer.h"

namespace berth::api {
namespace {

constexpr std::size_t kMostSelectors = 32;
constexpr std::size_t kMostRequests = 32;
constexpr std::size_t kMostAlternatives = 8;
constexpr std::size_t kMostConstraints = 32;
constexpr std::size_t kMostClaimConfigs = 32;

// Looks into the parameters of drivers that are known. `value` has the member `opaque`.
void check_opaque(DecodeContext& context, const Value& value, const OpaqueConfig& config) {
  const Value* opaque = value.find("opaque");
  const Value* parameters = opaque == nullptr ? nullptr : opaque->find("parameters");
  if (parameters == nullptr) return;
  const DecodeContext::Scope outer(context, "opaque");
  const DecodeContext::Scope scope(context, "parameters");
  check_nvidia_parameters(context, *parameters, config.driver);
}

// --- Requests -------------------------------------------------------------------------------------------------------

void read_selectors(DecodeContext& context, const Value& value, std::vector<DeviceSelector>& out) {
  read_at_most(context, value, kMostSelectors, "selectors", out);
}

void read_request_selectors(DecodeContext& context, const Value& value, ExactDeviceRequest& out) {
  read_selectors(context, value, out.selectors);
}

void read_capacity(DecodeContext& context, const Value& value, ExactDeviceRequest& out) {
  static const FieldTable<ExactDeviceRequest> kFields(
      {{"requests", [](DecodeContext& inside, const Value& amounts,
                       ExactDeviceRequest& request) { read_amounts(inside, amounts, *request.capacity_requests); }}},
      {});
  out.capacity_requests.emplace();
  kFields.read(context, value, out);
}

void read_derived(DecodeContext& context, const Value& value, ExactDeviceRequest& out) {
  if (!value.is_array()) return context.wrong_kind(value, "an array");
  if (value.size() == 0) return;
  out.derived_attributes = text::to_json(value);
  context.remark(value,
                 "Derived attributes are an alpha feature (DRADerivedAttributes) that is not supported here; the claim "
                 "gets no devices.");
}

// Readers for the fields of a request in an object of which the request is a part.
template <class T, ExactDeviceRequest& (*kPart)(T&), auto kReader>
void through(DecodeContext& context, const Value& value, T& out) {
  kReader(context, value, kPart(out));
}

template <class T, ExactDeviceRequest& (*kPart)(T&)>
std::vector<typename FieldTable<T>::Field> request_fields() {
  using Request = ExactDeviceRequest;
  return {
      {"deviceClassName", through<T, kPart, name_member<&Request::device_class_name, object_name_fault>>},
      {"selectors", through<T, kPart, read_request_selectors>},
      {"allocationMode", through<T, kPart, member<&Request::allocation_mode>>},
      {"count", through<T, kPart, member<&Request::count>>},
      {"tolerations", through<T, kPart, gated<Gate::kDeviceTaints, member<&Request::tolerations>, Request>>},
      {"capacity", through<T, kPart, gated<Gate::kConsumableCapacity, read_capacity, Request>>},
      {"derivedAttributes", through<T, kPart, gated<Gate::kDerivedAttributes, read_derived, Request>>},
  };
}

constexpr auto kReadAdminAccess =
    gated<Gate::kAdminAccess, member<&ExactDeviceRequest::admin_access>, ExactDeviceRequest>;

// The rules that all three forms share; the default count is 1, and none with All.
void settle(DecodeContext& context, const Value& value, ExactDeviceRequest& request) {
  require(context, value, "deviceClassName", "name the DeviceClass.");
  const Value* count = value.find("count");
  const bool given = count != nullptr && !count->is_null() && count->as_int64() != 0;
  if (request.allocation_mode == DeviceAllocationMode::kAll) {
    const DecodeContext::Scope scope(context, "count");
    if (given) context.error(*count, "With allocationMode All there is no count; remove it.");
    request.count = 0;
  } else if (!given) {
    request.count = 1;
  } else if (request.count <= 0) {
    const DecodeContext::Scope scope(context, "count");
    context.error(*count, "The count must be above 0; correct or remove it.");
  }
}

ExactDeviceRequest& itself(ExactDeviceRequest& request) { return request; }
ExactDeviceRequest& of_alternative(DeviceSubRequest& alternative) { return alternative.request; }
ExactDeviceRequest& of_request(DeviceRequest& request) {
  return request.exactly ? *request.exactly : request.exactly.emplace();
}

}  // namespace

void read(DecodeContext& context, const Value& value, ExactDeviceRequest& out) {
  static const FieldTable<ExactDeviceRequest> kFields = [] {
    auto fields = request_fields<ExactDeviceRequest, itself>();
    fields.push_back({"adminAccess", kReadAdminAccess});
    return FieldTable<ExactDeviceRequest>(std::move(fields), {});
  }();
  kFields.read(context, value, out);
  settle(context, value, out);
}

void read(DecodeContext& context, const Value& value, DeviceSubRequest& out) {
  static const FieldTable<DeviceSubRequest> kFields = [] {
    auto fields = request_fields<DeviceSubRequest, of_alternative>();
    fields.push_back({"name", name_member<&DeviceSubRequest::name, dns_label_fault>});
    return FieldTable<DeviceSubRequest>(std::move(fields), {});
  }();
  kFields.read(context, value, out);
  require(context, value, "name", "name the alternative.");
  settle(context, value, out.request);
}

namespace {

void read_alternatives(DecodeContext& context, const Value& value, DeviceRequest& out) {
  read_at_most(context, value, kMostAlternatives, "alternatives", out.first_available);
  require_distinct(context, value, out.first_available, &DeviceSubRequest::name);
}

constexpr auto kReadAlternatives = gated<Gate::kPrioritizedList, read_alternatives, DeviceRequest>;

// v1beta1 has the fields of `exactly` in the request itself.
void read_flat_request(DecodeContext& context, const Value& value, DeviceRequest& out) {
  static const FieldTable<DeviceRequest> kFields = [] {
    auto fields = request_fields<DeviceRequest, of_request>();
    fields.push_back({"adminAccess", through<DeviceRequest, of_request, kReadAdminAccess>});
    fields.push_back({"name", name_member<&DeviceRequest::name, dns_label_fault>});
    fields.push_back({"firstAvailable", kReadAlternatives});
    return FieldTable<DeviceRequest>(std::move(fields), {});
  }();
  kFields.read(context, value, out);
  if (out.exactly) settle(context, value, *out.exactly);
}

void read_request(DecodeContext& context, const Value& value, DeviceRequest& out) {
  static const FieldTable<DeviceRequest> kFields({{"name", name_member<&DeviceRequest::name, dns_label_fault>},
                                                  {"exactly", member<&DeviceRequest::exactly>},
                                                  {"firstAvailable", kReadAlternatives}},
                                                 {});
  kFields.read(context, value, out);
}

}  // namespace

void read(DecodeContext& context, const Value& value, DeviceRequest& out) {
  const bool flat = context.api_version() == "resource.k8s.io/v1beta1";
  flat ? read_flat_request(context, value, out) : read_request(context, value, out);
  require(context, value, "name", "name the request.");
  if (!value.is_object() || out.exactly.has_value() == out.first_available.empty()) return;
  std::string message = out.exactly ? "A request has either one set of wishes or firstAvailable; remove one of them."
                        : flat      ? "deviceClassName is missing; name the DeviceClass, or write firstAvailable."
                                    : "exactly or firstAvailable is missing; write what is wanted in one of them.";
  if (!flat && !out.exactly && is_given(value, "deviceClassName"))
    message = "deviceClassName and its neighbours stand under exactly since v1beta2; move them there.";
  context.error(value, std::move(message));
}

namespace {

// --- Constraints and configuration ----------------------------------------------------------------------------------

}  // namespace

void read(DecodeContext& context, const Value& value, DeviceConstraint& out) {
  static const FieldTable<DeviceConstraint> kFields(
      {{"requests", request_names_member<&DeviceConstraint::requests>},
       {"matchAttribute", name_member<&DeviceConstraint::match_attribute, fully_qualified_name_fault>},
       {"distinctAttribute",
        gated<Gate::kConsumableCapacity, name_member<&DeviceConstraint::distinct_attribute, fully_qualified_name_fault>,
              DeviceConstraint>}},
      {});
  kFields.read(context, value, out);
  if (value.is_object() && out.match_attribute.empty() == out.distinct_attribute.empty())
    context.error(value, "Exactly one of matchAttribute and distinctAttribute is wanted; write one.");
}

void read(DecodeContext& context, const Value& value, DeviceClaimConfig& out) {
  static const FieldTable<DeviceClaimConfig> kFields({{"requests", request_names_member<&DeviceClaimConfig::requests>},
                                                      {"opaque", member<&DeviceClaimConfig::opaque>}},
                                                     {});
  kFields.read(context, value, out);
  require(context, value, "opaque", "write opaque with a driver and its parameters.");
}

namespace {

const FieldTable<ResourceClaimSpec>& claim_fields() {
  static const FieldTable<ResourceClaimSpec> kFields(
      {{"requests",
        [](DecodeContext& inside, const Value& list, ResourceClaimSpec& spec) {
          read_at_most(inside, list, kMostRequests, "requests", spec.requests);
          require_distinct(inside, list, spec.requests, &DeviceRequest::name);
        }},
       {"constraints",
        [](DecodeContext& inside, const Value& list, ResourceClaimSpec& spec) {
          read_at_most(inside, list, kMostConstraints, "constraints", spec.constraints);
        }},
       {"config",
        [](DecodeContext& inside, const Value& list, ResourceClaimSpec& spec) {
          read_at_most(inside, list, kMostClaimConfigs, "configurations", spec.config);
        }}},
      {});
  return kFields;
}

// Everything that names requests names those that there are, once each.
template <class T>
void check_references(DecodeContext& context, const Value& devices, std::string_view member,
                      const std::vector<T>& items, const ResourceClaimSpec& spec) {
  const Value* list = devices.find(member);
  if (list == nullptr || list->size() != items.size()) return;
  const DecodeContext::Scope scope(context, member);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const DecodeContext::Scope index(context, i);
    check_request_names(context, list->items()[i], items[i].requests, spec);
  }
}

}  // namespace

void read(DecodeContext& context, const Value& value, ResourceClaimSpec& out) {
  static const FieldTable<ResourceClaimSpec> kFields({{"devices", inner<ResourceClaimSpec, claim_fields>}}, {});
  kFields.read(context, value, out);
  const Value* devices = value.find("devices");
  if (devices == nullptr) return;
  const DecodeContext::Scope scope(context, "devices");
  check_references(context, *devices, "constraints", out.constraints, out);
  check_references(context, *devices, "config", out.config, out);
}

namespace {

// The claim is not refused for what it says to a driver that has it already.
void check_configs(DecodeContext& context, const Value& spec, const ResourceClaimSpec& read_spec) {
  const Value* devices = spec.find("devices");
  const Value* list = devices == nullptr ? nullptr : devices->find("config");
  if (list == nullptr || list->size() != read_spec.config.size()) return;
  const DecodeContext::Scope inner_scope(context, "devices");
  const DecodeContext::Scope config(context, "config");
  for (std::size_t i = 0; i < read_spec.config.size(); ++i) {
    const DecodeContext::Scope index(context, i);
    check_opaque(context, list->items()[i], read_spec.config[i].opaque);
  }
}

}  // namespace

void read(DecodeContext& context, const Value& value, ResourceClaim& out) {
  static const FieldTable<ResourceClaim> kFields({{"metadata", member<&ResourceClaim::metadata>},
                                                  {"spec", member<&ResourceClaim::spec>},
                                                  {"status", member<&ResourceClaim::status>}},
                                                 {"apiVersion", "kind"});
  kFields.read(context, value, out);
  require(context, value, "spec", "write what the claim asks for.");
  if (const Value* spec = value.find("spec"); spec != nullptr && !out.status.allocation) {
    const DecodeContext::Scope scope(context, "spec");
    check_configs(context, *spec, out.spec);
  }
  if (const Value* status = value.find("status"); status != nullptr) {
    const DecodeContext::Scope scope(context, "status");
    check_status(context, *status, out);
  }
}

namespace {

void read_template_spec(DecodeContext& context, const Value& value, ResourceClaimTemplate& out) {
  static const FieldTable<ResourceClaimTemplate> kFields(
      {{"metadata", member<&ResourceClaimTemplate::claim_metadata>}, {"spec", member<&ResourceClaimTemplate::spec>}},
      {});
  kFields.read(context, value, out);
  require(context, value, "spec", "write what the claims ask for.");
  if (const Value* spec = value.find("spec"); spec != nullptr) {
    const DecodeContext::Scope scope(context, "spec");
    check_configs(context, *spec, out.spec);
  }
}

void read_class_config(DecodeContext& context, const Value& value, OpaqueConfig& out) {
  static const FieldTable<OpaqueConfig> kFields(
      {{"opaque",
        [](DecodeContext& inside, const Value& opaque, OpaqueConfig& config) { read(inside, opaque, config); }}},
      {});
  kFields.read(context, value, out);
  require(context, value, "opaque", "write opaque with a driver and its parameters.");
  check_opaque(context, value, out);
}

void read_class_configs(DecodeContext& context, const Value& value, DeviceClass& out) {
  if (!value.is_array()) return context.wrong_kind(value, "an array");
  if (!within_limit(context, value, kMostClaimConfigs, "configurations")) return;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const DecodeContext::Scope scope(context, i);
    read_class_config(context, value.items()[i], out.config.emplace_back());
  }
}

const FieldTable<DeviceClass>& class_spec_fields() {
  static const FieldTable<DeviceClass> kFields(
      {{"selectors", [](DecodeContext& inside, const Value& list,
                        DeviceClass& device_class) { read_selectors(inside, list, device_class.selectors); }},
       {"config", read_class_configs},
       {"extendedResourceName",
        gated<Gate::kExtendedResource, name_member<&DeviceClass::extended_resource_name, extended_resource_name_fault>,
              DeviceClass>}},
      {"suitableNodes"});
  return kFields;
}

}  // namespace

void read(DecodeContext& context, const Value& value, ResourceClaimTemplate& out) {
  static const FieldTable<ResourceClaimTemplate> kFields(
      {{"metadata", member<&ResourceClaimTemplate::metadata>}, {"spec", read_template_spec}}, {"apiVersion", "kind"});
  kFields.read(context, value, out);
  require(context, value, "spec", "write the claims' spec under spec.spec.");
}

void read(DecodeContext& context, const Value& value, DeviceClass& out) {
  static const FieldTable<DeviceClass> kFields(
      {{"metadata", member<&DeviceClass::metadata>}, {"spec", inner<DeviceClass, class_spec_fields>}},
      {"apiVersion", "kind"});
  kFields.read(context, value, out);
}

}  // namespace berth::api
