#include "controllers/workshop.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "api/full_name.h"
#include "api/owner.h"
#include "controllers/told.h"

namespace berth::controllers {
namespace {

constexpr std::size_t kMaxGeneratedPrefix = 58;

// Objects by the key of their controller.
template <class T>
auto by_controller(const std::vector<api::Read<T>>& objects) {
  boost::unordered_flat_map<std::string, std::vector<const api::Read<T>*>> result;
  for (const auto& read : objects) {
    const api::ObjectMeta& metadata = read.object.metadata;
    if (const auto* owner = api::controller_of(metadata))
      result[owner_key(owner->api_version, owner->kind, metadata.namespace_, owner->name)].push_back(&read);
  }
  return result;
}

template <class T>
std::vector<const api::Read<T>*> controlled(
    const boost::unordered_flat_map<std::string, std::vector<const api::Read<T>*>>& by_owner, const Owner& owner) {
  std::vector<const api::Read<T>*> result;
  const auto found =
      by_owner.find(owner_key(owner.api_version, owner.kind, owner.metadata->namespace_, owner.metadata->name));
  if (found == by_owner.end()) return result;
  std::ranges::copy_if(found->second, std::back_inserter(result),
                       [&owner](const api::Read<T>* read) { return controls(owner, read->object.metadata); });
  return result;
}

// Rounded up to tenths.
std::string in_megabytes(std::int64_t bytes) {
  constexpr std::int64_t kTenth = 100'000;
  const std::int64_t tenths = (bytes + kTenth - 1) / kTenth;
  return std::to_string(tenths / 10) + (tenths % 10 == 0 ? "" : "." + std::to_string(tenths % 10)) + " MB";
}

api::Toleration patience_with(std::string_view condition) {
  constexpr std::int64_t kSeconds = 300;
  api::Toleration toleration;
  toleration.key = condition;
  toleration.op = api::TolerationOperator::kExists;
  toleration.effect = api::TaintEffect::kNoExecute;
  toleration.toleration_seconds = kSeconds;
  return toleration;
}

}  // namespace

bool is_volcanos(std::string_view api_version) { return api_version.find(".volcano.sh/") != std::string_view::npos; }

std::string owner_key(std::string_view api_version, std::string_view kind, std::string_view namespace_,
                      std::string_view name) {
  std::string key = is_volcanos(api_version) ? "volcano " : "";
  return key.append(kind).append(1, '/').append(api::full_name(namespace_, name));
}

bool controls(const Owner& owner, const api::ObjectMeta& metadata) {
  const api::OwnerReference* reference = api::controller_of(metadata);
  if (reference == nullptr || reference->kind != owner.kind) return false;
  if (is_volcanos(reference->api_version) != is_volcanos(owner.api_version)) return false;
  if (metadata.namespace_ != owner.metadata->namespace_ || reference->name != owner.metadata->name) return false;
  return reference->uid.empty() || owner.metadata->uid.empty() || reference->uid == owner.metadata->uid;
}

std::string_view annotation(const api::ObjectMeta& metadata, std::string_view key) {
  const auto found = metadata.annotations.find(key);
  return found == metadata.annotations.end() ? std::string_view() : std::string_view(found->second);
}

void set_defaults(api::Pod& pod) {
  if (pod.spec.scheduler_name.empty()) pod.spec.scheduler_name = "default-scheduler";
  for (const std::string_view condition : {"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"}) {
    // A toleration of the pod's own for this condition, or for everything, takes the place of the default.
    const bool tolerated = std::ranges::any_of(pod.spec.tolerations, [condition](const api::Toleration& toleration) {
      const bool key = toleration.key == condition || toleration.key.empty();
      return key && (!toleration.effect || *toleration.effect == api::TaintEffect::kNoExecute);
    });
    if (!tolerated) pod.spec.tolerations.push_back(patience_with(condition));
  }
}

Workshop::Workshop(const api::ObjectSet& objects, const Options& options)
    : objects_(objects), options_(options), admission_(objects) {
  for (const auto& read : objects.pods) {
    const api::Pod& pod = read.object;
    const std::string& space = pod.metadata.namespace_;
    names_.reserve(api::full_name(space, pod.metadata.name));
    if (const auto* owner = api::controller_of(pod.metadata)) {
      by_owner_[owner_key(owner->api_version, owner->kind, space, owner->name)].push_back(&pod);
    } else if (is_active(pod)) {
      orphans_[space].push_back(&pod);
    }
  }
  for (const std::string& name : options.former_pods) names_.reserve(name);
  for (const auto& read : objects.persistent_volume_claims) {
    claims_.insert(api::full_name(read.object.metadata));
  }
}

std::vector<const api::Pod*> Workshop::owned(const Owner& owner) const {
  std::vector<const api::Pod*> result;
  const auto found =
      by_owner_.find(owner_key(owner.api_version, owner.kind, owner.metadata->namespace_, owner.metadata->name));
  if (found == by_owner_.end()) return result;
  std::ranges::copy_if(found->second, std::back_inserter(result),
                       [&owner](const api::Pod* pod) { return controls(owner, pod->metadata); });
  return result;
}

const api::LabelIndex<api::Pod>& Workshop::orphans_in(const std::string& namespace_) {
  if (indexed_.insert(namespace_).second)
    for (const api::Pod* pod : orphans_.at(namespace_)) orphans_by_label_.add(*pod);
  return orphans_by_label_;
}

std::vector<const api::Pod*> Workshop::claimed(const Owner& owner, const api::LabelSelector& selector,
                                               const std::function<bool(const api::Pod&)>& also) {
  const auto selects = [&](const api::Pod* pod) {
    return api::matches(selector, pod->metadata.labels) && (!also || also(*pod));
  };
  std::vector<const api::Pod*> result = owned(owner);
  std::erase_if(result, [&](const api::Pod* pod) { return !selects(pod); });
  const std::string& space = owner.metadata->namespace_;
  if (!orphans_.contains(space)) return result;
  for (const api::Pod* pod : orphans_in(space).candidates(space, selector)) {
    if (adopted_.contains(pod) || !selects(pod)) continue;
    adopted_.insert(pod);
    result.push_back(pod);
  }
  return result;
}

std::vector<const api::Pod*> Workshop::owned_by_prefix(std::string_view kind, std::string_view namespace_,
                                                       std::string_view prefix) {
  if (!owners_) {
    owners_.emplace();
    for (const auto& [key, pods] : by_owner_) owners_->push_back(key);
    std::ranges::sort(*owners_);
  }
  const std::string start = owner_key({}, kind, namespace_, prefix);
  std::vector<const api::Pod*> result;
  for (auto owner = std::ranges::lower_bound(*owners_, start); owner != owners_->end() && owner->starts_with(start);
       ++owner) {
    const std::vector<const api::Pod*>& pods = by_owner_.at(std::string(*owner));
    result.insert(result.end(), pods.begin(), pods.end());
  }
  return result;
}

std::vector<const api::Read<api::PodGroup>*> Workshop::groups_of(const Owner& owner) {
  if (!groups_) groups_ = by_controller(objects_.pod_groups);
  return controlled(*groups_, owner);
}

const Workshop::Jobs& Workshop::jobs() {
  if (!jobs_) {
    jobs_.emplace(Jobs{by_controller(objects_.jobs), {}});
    for (const auto& read : objects_.jobs) jobs_->by_name.try_emplace(api::full_name(read.object.metadata), &read);
  }
  return *jobs_;
}

std::vector<const api::Read<api::Job>*> Workshop::jobs_of(const Owner& owner) {
  return controlled(jobs().by_owner, owner);
}

const api::Read<api::Job>* Workshop::job(std::string_view namespace_, std::string_view name) {
  const auto found = jobs().by_name.find(api::full_name(namespace_, name));
  return found == jobs().by_name.end() ? nullptr : found->second;
}

bool Workshop::has_claim(std::string_view namespace_, std::string_view name) const {
  return claims_.contains(api::full_name(namespace_, name));
}

std::string Workshop::fresh_name(std::string_view namespace_, std::string_view base) {
  return names_.make(namespace_, std::string(base.substr(0, kMaxGeneratedPrefix - 1)) + "-");
}

bool Workshop::take_name(const api::Pod& pod, const Place& place) {
  if (!taken_) {
    taken_.emplace();
    for (const auto& read : objects_.pods) taken_->insert(api::full_name(read.object.metadata));
  }
  if (taken_->insert(api::full_name(pod.metadata)).second) return true;
  remark_once("Pod " + pod.metadata.name + " is not made, as another pod has this name. Rename or remove that one.",
              place);
  return false;
}

api::Pod Workshop::pod_from(const api::PodTemplate& from, const Owner& owner) {
  batches_.push_back({result_.pods.size(), owner.metadata->creation_timestamp.value_or(options_.now)});
  api::Pod pod;
  pod.metadata.namespace_ = owner.metadata->namespace_;
  pod.metadata.labels = from.metadata.labels;
  pod.metadata.annotations = from.metadata.annotations;
  pod.metadata.creation_timestamp = options_.now;
  pod.metadata.owner_references = {
      {std::string(owner.api_version), std::string(owner.kind), owner.metadata->name, owner.metadata->uid, true}};
  pod.spec = from.spec;
  return pod;
}

void Workshop::make(api::Pod pod, const Place& place) {
  set_defaults(pod);
  if (auto fault = admission_.admit(pod)) remark_once(*std::move(fault), place);
  Place from = place;
  from.field.clear();
  result_.pods.push_back({std::move(pod), std::move(from)});
}

void Workshop::order_by_age() {
  std::vector<api::Read<api::Pod>>& pods = result_.pods;
  if (!std::ranges::is_sorted(batches_, {}, &Batch::owner_age)) {
    struct Range {
      Batch batch;
      std::size_t last = 0;
    };
    std::vector<Range> ranges;
    for (std::size_t i = 0; i < batches_.size(); ++i) {
      ranges.push_back({batches_[i], i + 1 < batches_.size() ? batches_[i + 1].first : pods.size()});
    }
    std::ranges::stable_sort(ranges, {}, [](const Range& range) { return range.batch.owner_age; });
    std::vector<api::Read<api::Pod>> sorted;
    sorted.reserve(pods.size());
    for (const Range& range : ranges) {
      std::move(pods.begin() + static_cast<std::ptrdiff_t>(range.batch.first),
                pods.begin() + static_cast<std::ptrdiff_t>(range.last), std::back_inserter(sorted));
    }
    pods = std::move(sorted);
  }
  api::Time at = options_.now;
  for (auto& read : pods) read.object.metadata.creation_timestamp = at++;
}

void Workshop::make_claim(api::PersistentVolumeClaim claim, const Place& place) {
  claims_.insert(api::full_name(claim.metadata));
  result_.persistent_volume_claims.push_back({std::move(claim), place});
}

bool Workshop::admit(std::int64_t count, std::int64_t bytes, const Owner& owner, const Place& place) {
  if (count <= 0) return true;
  const auto made = static_cast<std::int64_t>(result_.pods.size());
  const std::string most = std::to_string(options_.max_pods);
  if (count > options_.max_pods)
    return refuse(std::to_string(count) + " new pods",
                  "at most " + most + " can be made at once, so it makes none. Lower its count.", owner, place);
  if (count > options_.max_pods - made)
    return refuse(std::to_string(count) + " new pods",
                  "with " + std::to_string(made) + " of other objects that is more than " + most +
                      ", so it makes none. Lower its count or plan it by itself.",
                  owner, place);
  if (count > (options_.max_pod_bytes - bytes_) / bytes) {
    const bool alone = count > options_.max_pod_bytes / bytes;
    return refuse(std::to_string(count) + " new pods of " + in_megabytes(bytes) + " each",
                  (alone ? "that is" : "with those of other objects that is") + std::string(" more memory than the ") +
                      in_megabytes(options_.max_pod_bytes) +
                      " that new pods may take, so it makes none. Lower its count" +
                      (alone ? ", or make its template smaller." : ", make its template smaller or plan it by itself."),
                  owner, place);
  }
  bytes_ += count * bytes;
  const std::size_t needed = result_.pods.size() + static_cast<std::size_t>(count);
  if (needed > result_.pods.capacity()) result_.pods.reserve(std::max(needed, 2 * result_.pods.capacity()));
  return true;
}

bool Workshop::refuse(const std::string& asked, const std::string& why, const Owner& owner, const Place& place) {
  error(Error{ErrorCode::kLimit,
              std::string(owner.kind) + " " + owner.metadata->name + " asks for " + asked + "; " + why, place});
  return false;
}

void Workshop::error(Error error) { tell(result_.errors, std::move(error)); }

void Workshop::remark(std::string message, const Place& place) {
  tell(result_.remarks, Error{ErrorCode::kInvalid, std::move(message), place});
}

void Workshop::remark_once(std::string message, const Place& place) {
  if (told_.insert(place.to_string() + ' ' + message).second) remark(std::move(message), place);
}

void Workshop::look_again(api::Time at) {
  if (at <= options_.now) return;
  result_.look_again = std::min(result_.look_again.value_or(at), at);
}

}  // namespace berth::controllers
