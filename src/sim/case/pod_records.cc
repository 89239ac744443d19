#include "sim/case/pod_records.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "api/full_name.h"
#include "api/pod_state.h"
#include "sim/case/document_names.h"
#include "sim/case/documents.h"
#include "sim/lineage.h"

namespace berth::sim {

std::span<const PodRecord* const> PodRecords::pointers() {
  for (std::size_t i = pointers_.size(); i < records_.size(); ++i) pointers_.push_back(&records_[i]);
  return pointers_;
}

PodRecord* PodRecords::live(const std::string& name) const {
  const auto found = live_.find(name);
  return found == live_.end() ? nullptr : found->second;
}

std::optional<Error> PodRecords::add(const std::vector<Newcomer>& newcomers) {
  std::optional<Error> refused;
  if (newcomers.empty()) return refused;
  const Lineage lineage(objects_);
  for (const Newcomer& newcomer : newcomers) {
    api::Pod& pod = objects_.pods[newcomer.at].object;
    std::string key = api::full_name(pod.metadata);
    const auto known = live_.find(key);
    position_[std::move(key)] = newcomer.at;
    if (known != live_.end() && newcomer.document != 0) {
      if (!refused)
        refused = name_is_taken(file_, newcomer.document, "Pod " + api::full_name(pod.metadata), "a pod of this name");
      continue;
    }
    // Controllers put a new pod in the place of a finished one of its name.
    if (known != live_.end() && (known->second->state != PodRecord::State::kSucceeded || is_finished(pod))) {
      violations_.add(newcomer.created,
                      fmt::format("{} is made while there is a pod of this name", api::full_name(pod.metadata)));
      continue;
    }
    add_record(pod, lineage.of(pod.metadata), newcomer.created);
  }
  return refused;
}

void PodRecords::add_record(api::Pod& pod, std::vector<std::string> lineage, std::int64_t created) {
  PodRecord record;
  record.namespace_ = pod.metadata.namespace_;
  record.name = pod.metadata.name;
  record.lineage = std::move(lineage);
  record.owners = record.lineage.size();
  record.created = created;
  if (auto seconds = take_seconds(pod.metadata, kRunsForAnnotation)) {
    record.runs_for = *seconds;
    if (record.runs_for == 0)
      violations_.add(created, fmt::format("{}: {} has to be 1 or more", record.name, kRunsForAnnotation));
    // What the case knows the user has declared.
    if (*seconds)
      pod.metadata.annotations.try_emplace(std::string(dialects::kubernetes::kRunsForAnnotation),
                                           std::to_string(**seconds));
  } else {
    violations_.add(created, fmt::format("{}: {}", record.name, seconds.error().message));
  }
  if (is_finished(pod)) {
    record.state = PodRecord::State::kSucceeded;
  } else if (!pod.spec.node_name.empty()) {
    record.state = PodRecord::State::kRunning;
    record.node = pod.spec.node_name;
    record.started = std::max<std::int64_t>(created, 0);
    pod.status.phase = api::PodPhase::kRunning;
    // A running pod may say since when.
    if (!pod.status.start_time) pod.status.start_time = epoch_ + *record.started;
  }
  if (!pod.metadata.creation_timestamp) pod.metadata.creation_timestamp = epoch_ + created;
  records_.push_back(std::move(record));
  live_[api::full_name(pod.metadata)] = &records_.back();
}

void PodRecords::find_groups(const dialects::kubernetes::Translator& translator) {
  const auto& groups = translator.workloads();
  for (const auto& read : objects_.pods) {
    const std::vector<std::string> lineage = groups.lineage(read.object);
    if (lineage.empty()) continue;
    const auto live = live_.find(api::full_name(read.object.metadata));
    if (live == live_.end()) continue;
    PodRecord& record = *live->second;
    record.lineage.resize(record.owners);
    record.lineage.insert(record.lineage.end(), lineage.begin(), lineage.end());
  }
}

void PodRecords::forget(const std::string& name, PodRecord::State state, std::int64_t now) {
  if (const auto live = live_.find(name); live != live_.end()) {
    live->second->state = state;
    live->second->ended = now;
    live_.erase(live);
  }
  position_.erase(name);
  forgotten_.insert(name);
}

void PodRecords::drop_forgotten() {
  if (forgotten_.empty()) return;
  std::erase_if(objects_.pods,
                [&](const auto& read) { return forgotten_.contains(api::full_name(read.object.metadata)); });
  forgotten_.clear();
  index();
}

void PodRecords::index() {
  position_.clear();
  const auto& pods = objects_.pods;
  for (std::size_t i = 0; i < pods.size(); ++i) position_[api::full_name(pods[i].object.metadata)] = i;
}

api::Pod* PodRecords::find(const std::string& name) const {
  const auto found = position_.find(name);
  return found == position_.end() ? nullptr : &objects_.pods[found->second].object;
}

}  // namespace berth::sim
