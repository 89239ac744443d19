#include "api/decode_nvidia.h"

#include <algorithm>

#include "api/decode_fields.h"
#include "api/decode_resource.h"
#include "api/selector.h"
#include "base/digits.h"
#include "text/json_reader.h"

namespace berth::api {

template <>
struct EnumNames<SharingStrategy> {
  static constexpr std::array<EnumName<SharingStrategy>, 2> kNames = {
      {{SharingStrategy::kTimeSlicing, "TimeSlicing"}, {SharingStrategy::kMps, "MPS"}}};
};
template <>
struct EnumNames<TimeSliceInterval> {
  static constexpr std::array<EnumName<TimeSliceInterval>, 4> kNames = {{{TimeSliceInterval::kDefault, "Default"},
                                                                         {TimeSliceInterval::kShort, "Short"},
                                                                         {TimeSliceInterval::kMedium, "Medium"},
                                                                         {TimeSliceInterval::kLong, "Long"}}};
};
template <>
struct EnumNames<IommuBackendPolicy> {
  static constexpr std::array<EnumName<IommuBackendPolicy>, 2> kNames = {
      {{IommuBackendPolicy::kLegacyOnly, "LegacyOnly"}, {IommuBackendPolicy::kPreferIommuFd, "PreferIommuFD"}}};
};
template <>
struct EnumNames<ChannelAllocationMode> {
  static constexpr std::array<EnumName<ChannelAllocationMode>, 2> kNames = {
      {{ChannelAllocationMode::kSingle, "Single"}, {ChannelAllocationMode::kAll, "All"}}};
};

namespace {

constexpr std::string_view kNvidiaVersion = "resource.nvidia.com/v1beta1";
constexpr std::int32_t kWhole = 100;  // per cent

// --- Sharing --------------------------------------------------------------------------------------------------------

// The driver hands limits on in whole mebibytes.
void check_pinned_limit(DecodeContext& context, const Value& value, const Quantity& limit) {
  constexpr std::int64_t kMebibyte = 1 << 20;
  if (limit.value() < kMebibyte)
    context.error(value, "The limit " + limit.to_string() + " is below 1Mi, which the driver cannot set; raise it.");
}

void read_default_limit(DecodeContext& context, const Value& value, MpsConfig& out) {
  read(context, value, out.default_pinned_device_memory_limit.emplace());
  check_pinned_limit(context, value, *out.default_pinned_device_memory_limit);
}

void read_device_limits(DecodeContext& context, const Value& value, MpsConfig& out) {
  if (!value.is_object()) return context.wrong_kind(value, "an object");
  for (const text::Member& member : value.members()) {
    const DecodeContext::Scope scope(context, member.name(), DecodeContext::Scope::kMapKey);
    PinnedMemoryLimit limit{std::string(member.name()), {}};
    const bool index = !limit.device.empty() && std::ranges::all_of(limit.device, is_digit);
    if (!index && !limit.device.starts_with("GPU-") && !limit.device.starts_with("MIG-"))
      context.error(member.key,
                    "This is neither the index nor the UUID of a device; write one such as 0 or GPU-2fa8....");
    read(context, member.value, limit.limit);
    check_pinned_limit(context, member.value, limit.limit);
    out.per_device_pinned_memory_limits.push_back(std::move(limit));
  }
}

void read_mps(DecodeContext& context, const Value& value, DeviceSharing& out) {
  static const FieldTable<MpsConfig> kFields(
      {{"defaultActiveThreadPercentage", member<&MpsConfig::default_active_thread_percentage>},
       {"defaultPinnedDeviceMemoryLimit", read_default_limit},
       {"defaultPerDevicePinnedMemoryLimit", read_device_limits},
       {"multiUser", member<&MpsConfig::multi_user>}},
      {});
  MpsConfig& mps = out.mps.emplace();
  kFields.read(context, value, mps);
  const std::int32_t percentage = mps.default_active_thread_percentage.value_or(0);
  if (percentage < 0 || percentage > kWhole)
    context.error(value, "defaultActiveThreadPercentage is " + std::to_string(percentage) + "; write 0 to 100.");
}

void read_time_slicing(DecodeContext& context, const Value& value, DeviceSharing& out) {
  static const FieldTable<DeviceSharing> kFields({{"interval", member<&DeviceSharing::interval>}}, {});
  kFields.read(context, value, out);
}

void check_sharing(DecodeContext& context, const Value& value, const DeviceSharing& sharing) {
  require(context, value, "strategy", "write TimeSlicing or MPS.");
  if (sharing.strategy == SharingStrategy::kTimeSlicing && is_given(value, "mpsConfig"))
    context.error(value, "mpsConfig is for the strategy MPS; remove it or change the strategy.");
  if (sharing.strategy == SharingStrategy::kMps && is_given(value, "timeSlicingConfig"))
    context.error(value, "timeSlicingConfig is for the strategy TimeSlicing; remove it or change the strategy.");
}

void read_gpu_sharing(DecodeContext& context, const Value& value, GpuConfig& out) {
  static const FieldTable<DeviceSharing> kFields({{"strategy", member<&DeviceSharing::strategy>},
                                                  {"timeSlicingConfig", read_time_slicing},
                                                  {"mpsConfig", read_mps}},
                                                 {});
  kFields.read(context, value, out.sharing.emplace());
  check_sharing(context, value, *out.sharing);
}

// Slices of a MIG device cannot be made longer or shorter.
void read_mig_sharing(DecodeContext& context, const Value& value, MigDeviceConfig& out) {
  static const FieldTable<DeviceSharing> kFields(
      {{"strategy", member<&DeviceSharing::strategy>}, {"mpsConfig", read_mps}}, {});
  kFields.read(context, value, out.sharing.emplace());
  check_sharing(context, value, *out.sharing);
}

// --- The five kinds -------------------------------------------------------------------------------------------------

void read_kind(DecodeContext& context, const Value& value, GpuConfig& out) {
  static const FieldTable<GpuConfig> kFields({{"sharing", read_gpu_sharing}}, {"apiVersion", "kind"});
  kFields.read(context, value, out);
}

void read_kind(DecodeContext& context, const Value& value, MigDeviceConfig& out) {
  static const FieldTable<MigDeviceConfig> kFields({{"sharing", read_mig_sharing}}, {"apiVersion", "kind"});
  kFields.read(context, value, out);
}

void read_iommu(DecodeContext& context, const Value& value, VfioDeviceConfig& out) {
  static const FieldTable<VfioDeviceConfig> kFields({{"backendPolicy", member<&VfioDeviceConfig::backend_policy>},
                                                     {"enableAPIDevice", member<&VfioDeviceConfig::enable_api_device>}},
                                                    {});
  kFields.read(context, value, out);
  require(context, value, "backendPolicy", "write LegacyOnly or PreferIommuFD.");
}

void read_kind(DecodeContext& context, const Value& value, VfioDeviceConfig& out) {
  static const FieldTable<VfioDeviceConfig> kFields({{"iommu", read_iommu}}, {"apiVersion", "kind"});
  kFields.read(context, value, out);
}

// It becomes a folder and a label of the node.
std::optional<std::string> domain_id_fault(std::string_view id) {
  if (id.empty()) return "The domainID is empty; write the uid of the ComputeDomain.";
  return label_value_fault(id);
}

void read_kind(DecodeContext& context, const Value& value, ComputeDomainChannelConfig& out) {
  using Config = ComputeDomainChannelConfig;
  static const FieldTable<Config> kFields({{"domainID", name_member<&Config::domain_id, domain_id_fault>},
                                           {"allocationMode", member<&Config::allocation_mode>}},
                                          {"apiVersion", "kind", "protocol"});
  kFields.read(context, value, out);
  require(context, value, "domainID", "write the uid of the ComputeDomain.");
}

void read_kind(DecodeContext& context, const Value& value, ComputeDomainDaemonConfig& out) {
  using Config = ComputeDomainDaemonConfig;
  static const FieldTable<Config> kFields({{"domainID", name_member<&Config::domain_id, domain_id_fault>}},
                                          {"apiVersion", "kind", "protocol", "mode"});
  kFields.read(context, value, out);
  require(context, value, "domainID", "write the uid of the ComputeDomain.");
}

template <class Config>
NvidiaConfig read_as(DecodeContext& context, const Value& parameters) {
  Config config;
  read_kind(context, parameters, config);
  return config;
}

struct Kind {
  std::string_view driver;
  std::string_view name;
  NvidiaConfig (*read)(DecodeContext&, const Value&);
};
constexpr std::array<Kind, 5> kKinds = {{
    {kNvidiaGpuDriver, "GpuConfig", read_as<GpuConfig>},
    {kNvidiaGpuDriver, "MigDeviceConfig", read_as<MigDeviceConfig>},
    {kNvidiaGpuDriver, "VfioDeviceConfig", read_as<VfioDeviceConfig>},
    {kNvidiaComputeDomainDriver, "ComputeDomainChannelConfig", read_as<ComputeDomainChannelConfig>},
    {kNvidiaComputeDomainDriver, "ComputeDomainDaemonConfig", read_as<ComputeDomainDaemonConfig>},
}};

std::string_view text_at(const Value& object, std::string_view name) {
  const Value* found = object.find(name);
  return found == nullptr ? std::string_view() : found->text();
}

std::optional<NvidiaConfig> read_parameters(DecodeContext& context, const Value& parameters, std::string_view driver) {
  if (!parameters.is_object()) return std::nullopt;  // whoever read the claim has said so
  const std::string_view version = text_at(parameters, "apiVersion");
  const std::string_view kind = text_at(parameters, "kind");
  std::string choices;
  for (const Kind& known : kKinds) {
    if (known.driver != driver) continue;
    if (known.name == kind && version == kNvidiaVersion) return known.read(context, parameters);
    choices += (choices.empty() ? "" : ", ") + std::string(known.name);
  }
  context.error(parameters,
                "\"" + std::string(version.substr(0, 64)) + "\" \"" + std::string(kind.substr(0, 64)) +
                    "\" is no configuration of " + std::string(driver) + "; write apiVersion " +
                    std::string(kNvidiaVersion) + " and one of the kinds " + choices + ".",
                ErrorCode::kUnsupported);
  return std::nullopt;
}

bool is_nvidia(std::string_view driver) { return driver == kNvidiaGpuDriver || driver == kNvidiaComputeDomainDriver; }

}  // namespace

// What the driver's webhook refuses is an error, and so is a field that it does not know.
void check_nvidia_parameters(DecodeContext& context, const Value& parameters, std::string_view driver) {
  if (!is_nvidia(driver)) return;
  text::Entry entry;
  entry.value = parameters;
  Diagnostics alone;
  DecodeSettings settings;
  DecodeContext inside(entry, "", alone, settings);
  read_parameters(inside, parameters, driver);
  if (alone.error_count() != 0 || alone.remarks().empty()) {
    read_parameters(context, parameters, driver);
    return;
  }
  for (const Error& unknown : alone.remarks())
    context.error(parameters, "The driver refuses the field " + unknown.place.field + ". " + unknown.message);
}

Result<NvidiaConfig> parse_nvidia_config(const OpaqueConfig& config) {
  if (!is_nvidia(config.driver))
    return fail(ErrorCode::kUnsupported, "The configuration is for " + config.driver.substr(0, 100) +
                                             "; only those for gpu.nvidia.com and compute-domain.nvidia.com are read.");
  BERTH_TRY(const text::Document document, text::parse_json(config.parameters));
  text::Entry entry;
  entry.value = document.root();
  entry.json = config.parameters;
  Diagnostics diagnostics;
  DecodeSettings settings;
  DecodeContext context(entry, "", diagnostics, settings);
  const auto read_config = read_parameters(context, document.root(), config.driver);
  if (diagnostics.error_count() != 0) return std::unexpected(diagnostics.errors().front());
  if (!read_config)
    return fail(ErrorCode::kInvalid, "The parameters are no object; write one with apiVersion and kind.");
  return *read_config;
}

// --- ComputeDomain --------------------------------------------------------------------------------------------------

namespace {

void read_ready(DecodeContext& context, const Value& value, bool& out) {
  std::string status;
  read(context, value, status);
  out = status == "Ready";
  if (!out && status != "NotReady" && !status.empty())
    context.error(value, "\"" + status.substr(0, 64) + "\" is no state of a domain; write Ready or NotReady.");
}

void read_domain_node(DecodeContext& context, const Value& value, ComputeDomainNode& out) {
  using Node = ComputeDomainNode;
  static const FieldTable<Node> kFields({{"name", member<&Node::name>},
                                         {"ipAddress", member<&Node::ip_address>},
                                         {"cliqueID", member<&Node::clique_id>},
                                         {"index", member<&Node::index>},
                                         {"status", [](DecodeContext& inside, const Value& status,
                                                       Node& node) { read_ready(inside, status, node.ready); }}},
                                        {});
  kFields.read(context, value, out);
}

void read_domain_nodes(DecodeContext& context, const Value& value, ComputeDomain& out) {
  if (!value.is_array()) return context.wrong_kind(value, "an array");
  for (std::size_t i = 0; i < value.size(); ++i) {
    const DecodeContext::Scope scope(context, i);
    read_domain_node(context, value.items()[i], out.nodes.emplace_back());
  }
}

const FieldTable<ComputeDomain>& domain_status_fields() {
  static const FieldTable<ComputeDomain> kFields(
      {{"status", [](DecodeContext& inside, const Value& status,
                     ComputeDomain& domain) { read_ready(inside, status, domain.ready); }},
       {"nodes", read_domain_nodes}},
      {});
  return kFields;
}

void read_template_name(DecodeContext& context, const Value& value, ComputeDomain& out) {
  static const FieldTable<ComputeDomain> kFields(
      {{"name", name_member<&ComputeDomain::claim_template_name, object_name_fault>}}, {});
  kFields.read(context, value, out);
  require(context, value, "name", "name the template that the controller makes.");
}

void read_channel(DecodeContext& context, const Value& value, ComputeDomain& out) {
  static const FieldTable<ComputeDomain> kFields(
      {{"resourceClaimTemplate", read_template_name}, {"allocationMode", member<&ComputeDomain::allocation_mode>}}, {});
  kFields.read(context, value, out);
  require(context, value, "resourceClaimTemplate", "name the template that the controller makes.");
}

void read_domain_spec(DecodeContext& context, const Value& value, ComputeDomain& out) {
  static const FieldTable<ComputeDomain> kFields(
      {{"numNodes", member<&ComputeDomain::num_nodes>}, {"channel", read_channel}}, {});
  kFields.read(context, value, out);
  require(context, value, "channel", "write channel with a resourceClaimTemplate.");
  if (out.num_nodes < 0) context.error(value, "numNodes is negative; write 0 or more.");
}

}  // namespace

void read(DecodeContext& context, const Value& value, ComputeDomain& out) {
  static const FieldTable<ComputeDomain> kFields({{"metadata", member<&ComputeDomain::metadata>},
                                                  {"spec", read_domain_spec},
                                                  {"status", inner<ComputeDomain, domain_status_fields>}},
                                                 {"apiVersion", "kind"});
  kFields.read(context, value, out);
  require(context, value, "spec", "write the domain's channel.");
}

}  // namespace berth::api
