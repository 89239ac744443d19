#include "api/load.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

#include "api/admin_access.h"
#include "api/decode_nvidia.h"
#include "api/decode_objects.h"
#include "api/decode_volcano.h"
#include "api/owner_cycles.h"
#include "api/selector.h"

namespace berth::api {
namespace {

constexpr std::int64_t kProgressInterval = 256;  // objects
constexpr std::string_view kResourceGroup = "resource.k8s.io/";
constexpr std::string_view kSchedulingGroup = "scheduling.k8s.io/";
constexpr std::string_view kVolcanoDomain = ".volcano.sh/";

std::string_view text_at(const text::Value& value, std::string_view name) {
  const text::Value* found = value.find(name);
  return found == nullptr ? std::string_view() : found->text();
}

std::string_view metadata_text(const text::Value& value, std::string_view name) {
  const text::Value* metadata = value.find("metadata");
  return metadata == nullptr ? std::string_view() : text_at(*metadata, name);
}

bool one_of(std::string_view api_version, std::initializer_list<std::string_view> versions) {
  return std::find(versions.begin(), versions.end(), api_version) != versions.end();
}

// "PodList" is a list of "Pod".
std::string_view kind_of_items(std::string_view list_kind) {
  constexpr std::string_view kList = "List";
  if (list_kind.size() <= kList.size() || !list_kind.ends_with(kList)) return {};
  return list_kind.substr(0, list_kind.size() - kList.size());
}

}  // namespace

const text::SkipPaths& Loader::skip_paths() {
  static const text::SkipPaths kPaths = [] {
    text::SkipPaths paths = {{"metadata", "managedFields"},
                             {"metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration"},
                             {"data"},
                             {"stringData"},
                             {"binaryData"}};
    // What containers hold beside what is scheduled; here so that it costs no tree, and no secret is ever in one.
    constexpr std::array<std::string_view, 10> kContainer = {
        "env",           "envFrom",        "command",      "args",      "volumeMounts",
        "livenessProbe", "readinessProbe", "startupProbe", "lifecycle", "securityContext"};
    for (const std::string_view containers : {"containers", "initContainers"}) {
      for (const std::string_view field : kContainer) {
        paths.add({"spec", containers, field});
        paths.add({"spec", "template", "spec", containers, field});
        paths.add({"spec", "jobTemplate", "spec", "template", "spec", containers, field});
        paths.add({"spec", "tasks", "template", "spec", containers, field});
        paths.add({"spec", "jobTemplate", "spec", "tasks", "template", "spec", containers, field});
      }
    }
    paths.add({"spec", "ephemeralContainers"});
    paths.add({"spec", "template", "spec", "ephemeralContainers"});
    paths.add({"spec", "volumes", "projected"});
    for (const std::string_view statuses : {"containerStatuses", "initContainerStatuses"}) {
      for (const std::string_view field : {"lastState", "volumeMounts"}) paths.add({"status", statuses, field});
      for (const std::string_view state : {"waiting", "running"}) paths.add({"status", statuses, "state", state});
      for (const std::string_view field : {"reason", "message", "startedAt", "finishedAt", "containerID"})
        paths.add({"status", statuses, "state", "terminated", field});
    }
    paths.add({"status", "ephemeralContainerStatuses"});
    return paths;
  }();
  return kPaths;
}

void Loader::error(const Error& error) {
  Error placed = error;
  if (placed.place.file.empty()) placed.place.file = file_;
  diagnostics_.error(std::move(placed));
}

void Loader::load_source(text::ByteSource& source, std::string_view file) {
  file_ = file;
  text::ReadOptions options;
  options.skip = &skip_paths();
  options.max_depth = options_.max_depth;
  const std::int64_t before = entries_;
  const std::int64_t errors = diagnostics_.error_count();
  text::read_entries(source, file, options, *this);
  if (entries_ == before && diagnostics_.error_count() == errors)
    diagnostics_.remark({ErrorCode::kNotFound, "No object is in it.", Place{.file = file_}}, "empty " + file_);
}

void Loader::load_path(const std::string& path) {
  file_ = path;
  const auto files = text::expand_input(path);
  if (!files) return error(files.error());
  if (files->passed_over > 0) {
    diagnostics_.remark(
        {ErrorCode::kUnsupported,
         std::to_string(files->passed_over) +
             " more in the directory: only *.yaml, *.yml and *.json files are read (with .gz behind, too), "
             "and no directories below. Name what else you mean.",
         Place{.file = path}},
        "directory " + path);
  }
  for (const std::string& file : files->files) {
    file_ = file;
    const auto source = text::open_input(file, options_.limits);
    if (source) {
      load_source(**source, file);
    } else {
      error(source.error());
    }
  }
}

void Loader::add(const text::Value& value, const Place& place) {
  text::Entry parsed;
  parsed.value = value;
  parsed.document = place.document;
  parsed.start = {place.line, place.column};
  file_ = place.file;
  entry(parsed);
}

void Loader::entry(const text::Entry& entry) {
  DecodeContext context(entry, file_, diagnostics_, settings_);
  const text::Value& value = entry.value;
  if (value.is_null()) return;
  ++entries_;
  if (!value.is_object())
    return context.error(value, "A Kubernetes object is expected here, with apiVersion and kind, but this is " +
                                    std::string(text::describe(value.kind())) + "; correct or remove it.");
  decode(entry, context, value, {entry.list_api_version, entry.list_kind});
}

void Loader::decode(const text::Entry& entry, DecodeContext& context, const text::Value& value, Header list) {
  Header header{text_at(value, "apiVersion"), text_at(value, "kind")};
  if (header.kind.empty()) header = {list.api_version, kind_of_items(list.kind)};
  context.set_object(header.kind, metadata_text(value, "namespace"), metadata_text(value, "name"));
  context.set_api_version(header.api_version);
  if (header.kind.empty() && value.find("actions") != nullptr && value.find("tiers") != nullptr)
    return context.error(value,
                         "This is a volcano-scheduler.conf and no object; to schedule with it, write --config in "
                         "front of the file.");
  if (header.kind.empty() || header.api_version.empty())
    return context.error(value, std::string(header.kind.empty() ? "kind" : "apiVersion") +
                                    " is missing; write both, such as apiVersion: v1 and kind: Pod." +
                                    (entry.item != 0 && list.kind.empty()
                                         ? " A list that says the kind of its items has to do so in front of them."
                                         : ""));
  const text::Value* items = value.find("items");
  if (header.kind.ends_with("List") && items != nullptr && items->is_array())
    return decode_list(entry, context, *items, header);
  if (header.kind == "List") {
    if (items == nullptr || items->is_null()) return;  // an empty one, as the API server writes it
    const DecodeContext::Scope scope(context, "items");
    return context.wrong_kind(*items, "an array");
  }
  if (!dispatch(context, value, header)) skip(context, header);
  if (options_.progress && ++seen_ % kProgressInterval == 0) options_.progress(file_, seen_);
}

// A list inside of a list; the readers take the outermost one apart.
void Loader::decode_list(const text::Entry& entry, DecodeContext& context, const text::Value& items, Header list) {
  const DecodeContext::Scope scope(context, "items");
  for (std::size_t i = 0; i < items.size(); ++i) {
    const DecodeContext::Scope index(context, i);
    const text::Value& item = items.items()[i];
    if (!item.is_object()) {
      context.wrong_kind(item, "an object");
      continue;
    }
    DecodeContext inner(entry, file_, diagnostics_, settings_);
    decode(entry, inner, item, list);
  }
}

void Loader::skip(const DecodeContext& context, Header header) {
  static constexpr std::size_t kMostOfAName = 128;
  header = {header.api_version.substr(0, kMostOfAName), header.kind.substr(0, kMostOfAName)};
  SkippedKind& skipped = skipped_[{std::string(header.api_version), std::string(header.kind)}];
  if (skipped.count++ != 0) return;
  skipped.api_version = header.api_version;
  skipped.kind = header.kind;
  skipped.first = context.place(nullptr);
}

// False where there is no usable name.
bool Loader::settle_name(DecodeContext& context, const text::Value& value, ObjectMeta& metadata, bool namespaced) {
  if (!namespaced) {
    metadata.namespace_.clear();
  } else if (metadata.namespace_.empty()) {
    metadata.namespace_ = "default";
  }
  const text::Value* section = value.find("metadata");
  const text::Value& at = section == nullptr ? value : *section;
  if (metadata.name.empty() && !metadata.generate_name.empty())
    metadata.name = metadata.generate_name + "new" + std::to_string(++generated_);
  if (metadata.name.empty()) {
    context.error(at, "metadata.name is missing; give the object a name.");
    return false;
  }
  if (auto fault = object_name_fault(metadata.name)) {
    context.error(at, "metadata.name: " + *fault);
    return false;
  }
  if (auto fault = namespace_fault(metadata.namespace_); fault && namespaced) {
    const text::Value* written = at.find("namespace");
    const DecodeContext::Scope scope(context, "metadata");
    const DecodeContext::Scope field(context, "namespace");
    context.error(written == nullptr ? at : *written, *std::move(fault));
    return false;
  }
  return true;
}

void Loader::note_refused(std::string_view kind, const ObjectMeta& metadata) {
  static constexpr std::size_t kMost = 10'000;
  if (objects_.refused.size() >= kMost) return;
  std::string name(kind);
  name += ' ';
  if (!metadata.namespace_.empty()) name += metadata.namespace_ + '/';
  objects_.refused.insert(name + metadata.name);
}

template <class T>
void Loader::decode_object(DecodeContext& context, const text::Value& value, Header header, bool namespaced,
                           std::vector<Read<T>>& out) {
  T object;
  read(context, value, object);
  if (!settle_name(context, value, object.metadata, namespaced) || context.errors() != 0)
    return note_refused(header.kind, object.metadata);
  context.set_object(header.kind, object.metadata.namespace_, object.metadata.name);
  Place place = context.place(nullptr);
  std::string name = object.metadata.namespace_ + "/" + object.metadata.name;
  ++read_;
  const auto [found, fresh] =
      names_.try_emplace(std::pair(static_cast<const void*>(&out), std::move(name)), out.size());
  if (fresh) {
    out.push_back({std::move(object), std::move(place)});
    return;
  }
  Read<T>& earlier = out[found->second];
  if (earlier.place.file == place.file) {
    context.remark(value, "The name was used before, in " + earlier.place.to_string() +
                              "; this later object replaces it, so remove one of the two.");
  } else if (names_.try_emplace(std::pair(static_cast<const void*>(this), earlier.place.file + '\n' + place.file), 0)
                 .second) {  // once for two files
    context.remark(value, "This object replaces the one of its name from " + earlier.place.file +
                              ", and others of this file may do so, too, as a plan does.");
  }
  earlier = {std::move(object), std::move(place)};
}

bool Loader::dispatch(DecodeContext& context, const text::Value& value, Header header) {
  const std::string_view version = header.api_version;
  const auto is = [&](std::string_view kind, std::initializer_list<std::string_view> versions) {
    return header.kind == kind && one_of(version, versions);
  };
  const auto into = [&](bool namespaced, auto& out) {
    decode_object(context, value, header, namespaced, out);
    return true;
  };
  if (is("Pod", {"v1"})) return into(true, objects_.pods);
  if (is("Node", {"v1"})) return into(false, objects_.nodes);
  if (is("Namespace", {"v1"})) return into(false, objects_.namespaces);
  if (is("Service", {"v1"})) return into(true, objects_.services);
  if (is("PersistentVolume", {"v1"})) return into(false, objects_.persistent_volumes);
  if (is("PersistentVolumeClaim", {"v1"})) return into(true, objects_.persistent_volume_claims);
  if (is("ReplicationController", {"v1"})) return into(true, objects_.replication_controllers);
  if (is("StorageClass", {"storage.k8s.io/v1", "storage.k8s.io/v1beta1"})) return into(false, objects_.storage_classes);
  if (is("CSIDriver", {"storage.k8s.io/v1", "storage.k8s.io/v1beta1"})) return into(false, objects_.csi_drivers);
  if (is("CSIStorageCapacity", {"storage.k8s.io/v1", "storage.k8s.io/v1beta1"}))
    return into(true, objects_.csi_storage_capacities);
  if (is("RuntimeClass", {"node.k8s.io/v1", "node.k8s.io/v1beta1"})) return into(false, objects_.runtime_classes);
  if (is("LimitRange", {"v1"})) return into(true, objects_.limit_ranges);
  if (is("Deployment", {"apps/v1", "apps/v1beta2", "apps/v1beta1", "extensions/v1beta1"}))
    return into(true, objects_.deployments);
  if (is("ReplicaSet", {"apps/v1", "apps/v1beta2", "extensions/v1beta1"})) return into(true, objects_.replica_sets);
  if (is("StatefulSet", {"apps/v1", "apps/v1beta2", "apps/v1beta1"})) return into(true, objects_.stateful_sets);
  if (is("DaemonSet", {"apps/v1", "apps/v1beta2", "extensions/v1beta1"})) return into(true, objects_.daemon_sets);
  if (is("Job", {"batch/v1"})) return into(true, objects_.jobs);
  if (is("CronJob", {"batch/v1", "batch/v1beta1", "batch/v2alpha1"})) return into(true, objects_.cron_jobs);
  if (is("PodDisruptionBudget", {"policy/v1", "policy/v1beta1"})) return into(true, objects_.pod_disruption_budgets);
  if (is("ResourceQuota", {"v1"})) return into(true, objects_.resource_quotas);
  if (version.starts_with(kSchedulingGroup)) return dispatch_scheduling(context, value, header);
  if (is("ComputeDomain", {"resource.nvidia.com/v1beta1"})) return into(true, objects_.compute_domains);
  if (version.starts_with(kResourceGroup)) return dispatch_devices(context, value, header);
  if (version.find(kVolcanoDomain) != std::string_view::npos) return dispatch_volcano(context, value, header);
  return false;
}

bool Loader::dispatch_volcano(DecodeContext& context, const text::Value& value, Header header) {
  const auto is = [&](std::string_view version, std::string_view kind) {
    return header.kind == kind && header.api_version == version;
  };
  const auto into = [&](bool namespaced, auto& out) {
    decode_object(context, value, header, namespaced, out);
    return true;
  };
  if (is("scheduling.volcano.sh/v1beta1", "PodGroup")) return into(true, objects_.volcano_pod_groups);
  if (is("scheduling.volcano.sh/v1beta1", "Queue")) return into(false, objects_.volcano_queues);
  if (is("batch.volcano.sh/v1alpha1", "Job")) return into(true, objects_.volcano_jobs);
  if (is("batch.volcano.sh/v1alpha1", "CronJob")) return into(true, objects_.volcano_cron_jobs);
  if (is("bus.volcano.sh/v1alpha1", "Command")) return into(true, objects_.volcano_commands);
  if (is("flow.volcano.sh/v1alpha1", "JobFlow")) return into(true, objects_.job_flows);
  if (is("flow.volcano.sh/v1alpha1", "JobTemplate")) return into(true, objects_.job_templates);
  if (is("topology.volcano.sh/v1alpha1", "HyperNode")) return into(false, objects_.hyper_nodes);
  if (is("nodeinfo.volcano.sh/v1alpha1", "Numatopology")) return into(false, objects_.numatopologies);
  return false;
}

bool Loader::dispatch_scheduling(DecodeContext& context, const text::Value& value, Header header) {
  const std::string_view version = header.api_version.substr(kSchedulingGroup.size());
  const auto is = [&](std::string_view kind, std::initializer_list<std::string_view> versions) {
    return header.kind == kind && one_of(version, versions);
  };
  const auto into = [&](bool namespaced, auto& out) {
    decode_object(context, value, header, namespaced, out);
    return true;
  };
  if (is("PriorityClass", {"v1", "v1beta1", "v1alpha1"})) return into(false, objects_.priority_classes);
  if (is("Workload", {"v1beta1", "v1alpha3", "v1alpha2", "v1alpha1"})) return into(true, objects_.workloads);
  if (is("PodGroup", {"v1beta1", "v1alpha3", "v1alpha2"})) return into(true, objects_.pod_groups);
  return is("CompositePodGroup", {"v1alpha3"}) && into(true, objects_.composite_pod_groups);
}

bool Loader::dispatch_devices(DecodeContext& context, const text::Value& value, Header header) {
  const std::string_view version = header.api_version.substr(kResourceGroup.size());
  const bool served = one_of(version, {"v1", "v1beta2", "v1beta1"});
  const auto into = [&](bool namespaced, auto& out) {
    decode_object(context, value, header, namespaced, out);
    return true;
  };
  if (header.kind == "ResourceSlice" && served) return into(false, objects_.resource_slices);
  if (header.kind == "DeviceClass" && served) return into(false, objects_.device_classes);
  if (header.kind == "ResourceClaim" && served) return into(true, objects_.resource_claims);
  if (header.kind == "ResourceClaimTemplate" && served) return into(true, objects_.resource_claim_templates);
  if (header.kind != "DeviceTaintRule" || !one_of(version, {"v1", "v1beta2", "v1alpha3"})) return false;
  return !context.allows(Gate::kDeviceTaintRules, value) || into(false, objects_.device_taint_rules);
}

Loaded Loader::finish() && {
  break_owner_cycles(objects_, diagnostics_);
  refuse_admin_access(objects_, diagnostics_);
  Loaded loaded;
  loaded.objects = std::move(objects_);
  loaded.errors = diagnostics_.errors();
  loaded.remarks = diagnostics_.remarks();
  for (auto& [key, skipped] : skipped_) loaded.skipped.push_back(std::move(skipped));
  loaded.read = read_;
  return loaded;
}

Loaded load(std::span<const std::string> paths, const LoadOptions& options) {
  Loader loader(options);
  for (const std::string& path : paths) loader.load_path(path);
  return std::move(loader).finish();
}

Loaded load_text(std::string_view text, std::string_view file) {
  Loader loader;
  text::MemorySource source(text);
  loader.load_source(source, file);
  return std::move(loader).finish();
}

}  // namespace berth::api
