// PodRecords: the lives of all pods of a case, and where the pods that are still there lie among its objects.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "api/objects.h"
#include "base/result.h"
#include "dialects/kubernetes/translator.h"
#include "sim/case/case_file.h"
#include "sim/case/pod_record.h"
#include "sim/case/violations.h"

namespace berth::sim {

// A pod among the objects that is new there.
struct Newcomer {
  std::size_t at = 0;
  std::int64_t created = 0;   // virtual second
  std::int32_t document = 0;  // 0: a controller made it
};

class PodRecords {
 public:
  // All of these live as long as this. `epoch` is second 0 of the case.
  PodRecords(const CaseFile& file, api::ObjectSet& objects, api::Time epoch, Violations& violations)
      : file_(file), objects_(objects), epoch_(epoch), violations_(violations) {}

  // By the time they came, those that are gone too. Records stay where they are in memory.
  [[nodiscard]] std::deque<PodRecord>& records() { return records_; }
  [[nodiscard]] const std::deque<PodRecord>& records() const { return records_; }
  // The same, valid until one is added.
  [[nodiscard]] std::span<const PodRecord* const> pointers();

  // Newcomers that have no record yet get one. The error is the first pod of a document whose name is taken.
  [[nodiscard]] std::optional<Error> add(const std::vector<Newcomer>& newcomers);
  // Which objects group the pods, as of the translator's last update: they may come after their pods.
  void find_groups(const dialects::kubernetes::Translator& translator);

  // By "namespace/name": the record of a pod that is there, and the pod itself; nullptr if there is none.
  [[nodiscard]] PodRecord* live(const std::string& name) const;
  [[nodiscard]] bool is_live(const PodRecord& record) const { return live(record.full_name()) == &record; }
  [[nodiscard]] api::Pod* find(const std::string& name) const;

  // The pod is gone from here on; the objects lose it with drop_forgotten(), which is one pass for many.
  void forget(const std::string& name, PodRecord::State state, std::int64_t now);
  void drop_forgotten();
  // Pods came to the objects, or went, and lie elsewhere now.
  void index();

 private:
  void add_record(api::Pod& pod, std::vector<std::string> lineage, std::int64_t created);

  const CaseFile& file_;
  api::ObjectSet& objects_;
  api::Time epoch_;
  Violations& violations_;
  std::deque<PodRecord> records_;
  std::vector<const PodRecord*> pointers_;
  boost::unordered_flat_map<std::string, PodRecord*> live_;
  boost::unordered_flat_map<std::string, std::size_t> position_;  // in objects_.pods
  boost::unordered_flat_set<std::string> forgotten_;              // gone, and still among the objects
};

}  // namespace berth::sim
