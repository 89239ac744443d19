// ResourceQuotas: what the pods of a namespace hold together is counted in a queue of its own beside whatever else
// decides about them. What waits holds nothing, so pods that can only wait do not use the quota up.
//
// A group of pods is counted with its workload. A pod without a group becomes a workload of one, in no queue.
// Counted are requests of what the scheduler counts, and the number of pods. Quotas with scopes, and of limits and
// other objects, are remarked on.
#pragma once

#include <string>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "dialects/workloads/ecosystem.h"

namespace berth::dialects::workloads {

class NamespaceQuotas final : public Ecosystem {
 public:
  explicit NamespaceQuotas(engine::Names& names) : names_(names) {}

  // The last of all ecosystems: what the others have read is counted.
  void read(const Scene& scene, Reading& out) override;
  [[nodiscard]] std::optional<Member> member(const api::Pod& pod) const override;
  void add_lineage(const api::Pod& /*pod*/, std::vector<std::string>& /*out*/) const override {}

 private:
  [[nodiscard]] std::vector<engine::QuotaInput> caps(const api::Read<api::ResourceQuota>& read, Reading& out) const;
  [[nodiscard]] engine::NameId workload_of(const api::Pod& pod) const;

  engine::Names& names_;
  boost::unordered_flat_map<std::string, std::vector<engine::NameId>> queues_;  // by namespace
};

}  // namespace berth::dialects::workloads
