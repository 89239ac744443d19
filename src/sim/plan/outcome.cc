#include "sim/plan/outcome.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <boost/unordered/unordered_flat_map.hpp>

#include "api/compute_domain.h"
#include "api/full_name.h"
#include "controllers/compute_domains.h"
#include "controllers/reconcile.h"
#include "dialects/dra/device_dialect.h"
#include "engine/devices/catalogue.h"
#include "engine/devices/holdings.h"
#include "engine/world/world.h"
#include "report/amounts.h"
#include "report/layout.h"
#include "sim/claims.h"
#include "sim/lineage.h"
#include "sim/volume_binder.h"

namespace berth::sim {
namespace {

using engine::Decision;

std::string name_of(const Placement& placement) { return api::full_name(placement.namespace_, placement.name); }

// Rounds of deciding, from one change of the objects to the next.
class Decider {
 public:
  Decider(Cluster& cluster, engine::Time now) : cluster_(cluster), now_(now) {}

  Outcome run() {
    // Each further round has either bound a volume or evicted for a higher priority; the limit is for broken rules.
    static constexpr int kMostRounds = 1000;
    for (int round = 0; round < kMostRounds; ++round) {
      const engine::StepResult result = cluster_.engine().step({}, now_);
      cluster_.write_withdrawals(result);
      if (result.decisions.empty()) return finish();
      judge(result);
      // Where pods of a ComputeDomain come, its daemons follow, which have to fit as well.
      const bool daemons = !cluster_.objects().compute_domains.empty() && outcome_.placements.size() > first_placement_;
      if (!bring_back() && !again_ && !daemons) return finish();
      carry_out();
      if (daemons) make_daemons();
      cluster_.load(now_);
    }
    outcome_.complete = false;
    return finish();
  }

 private:
  Outcome finish() {
    std::erase_if(outcome_.placements, [](const Placement& one) { return one.name.empty(); });
    return std::move(outcome_);
  }

  // Takes over the decisions of one step, but for those that found their volume taken by an earlier one.
  void judge(const engine::StepResult& result) {
    const Lineage lineage(cluster_.objects());
    std::vector<Eviction> evictions;
    std::set<std::string> refused;
    const std::vector<bool> not_done = refused_for_volumes(cluster_, result);
    again_ = false;
    first_placement_ = outcome_.placements.size();
    first_eviction_ = outcome_.evictions.size();
    for (std::size_t i = 0; i < result.decisions.size(); ++i) {
      const Decision& decision = result.decisions[i];
      if (not_done[i] && !decision.workload.is_none()) {
        again_ = restart_ = true;  // the engine believes that the whole workload runs
        continue;
      }
      switch (decision.kind) {
        case Decision::Kind::kEvict: {
          Eviction eviction = eviction_of(lineage, decision);
          if (never_ran(eviction)) {
            for (Eviction& earlier : evictions) hand_on(earlier, eviction);
          } else {
            evictions.push_back(std::move(eviction));
            note_preemption(decision.pod);
          }
          break;
        }
        case Decision::Kind::kPlace:
          if (not_done[i]) {
            refused.insert(api::full_name(cluster_.pod(decision.pod)->metadata));
            break;
          }
          outcome_.placements.push_back(placement_of(lineage, decision));
          placed_at_[name_of(outcome_.placements.back())] = outcome_.placements.size() - 1;
          break;
      }
    }
    for (Eviction& eviction : evictions) {
      if (refused.contains(eviction.beneficiary))
        restart_ = true;  // the engine has to forget an eviction that does not happen
      else
        outcome_.evictions.push_back(std::move(eviction));
    }
    again_ = again_ || !refused.empty();
  }

  // A pod that started in this plan and gives way in it waits after all, and who left for it leaves for the one that
  // has the place now.
  bool never_ran(const Eviction& eviction) {
    const auto found = placed_at_.find(eviction.pod);
    if (found == placed_at_.end()) return false;
    outcome_.placements[found->second] = {};
    placed_at_.erase(found);
    for (Eviction& earlier : outcome_.evictions) hand_on(earlier, eviction);
    stopped_.insert(eviction.pod);
    again_ = restart_ = true;  // it waits and was not evicted, whatever the engine believes
    return true;
  }
  static void hand_on(Eviction& earlier, const Eviction& later) {
    if (earlier.beneficiary == later.pod) earlier.beneficiary = later.beneficiary;
  }

  // Names and adds the successors of this round's evicted pods; true if there are any.
  bool bring_back() {
    bool any = false;
    std::vector<const api::Pod*> evicted;
    std::map<std::string, std::size_t> at;
    for (std::size_t i = first_eviction_; i < outcome_.evictions.size(); ++i) at.emplace(outcome_.evictions[i].pod, i);
    if (at.empty()) return false;
    for (auto& read : cluster_.objects().pods) {
      const auto found = at.find(api::full_name(read.object.metadata));
      if (found == at.end()) continue;
      read.object.status.phase = api::PodPhase::kFailed;
      evicted.push_back(&read.object);
    }
    controllers::Expansion made;
    for (controllers::Replacement& back : controllers::replacements(cluster_.objects(), evicted, {.now = now_})) {
      outcome_.evictions[at.at(api::full_name(back.evicted->metadata))].replacement = back.pod.metadata.name;
      made.pods.push_back({std::move(back.pod), {}});
      any = true;
    }
    made_ = std::move(made);
    return any;
  }

  // Writes the round into the objects, so that the next one, and a new engine, start from there.
  void carry_out() {
    boost::unordered_flat_map<std::string, std::string> started;  // to the node
    for (std::size_t i = first_placement_; i < outcome_.placements.size(); ++i)
      if (!outcome_.placements[i].name.empty())
        started.emplace(name_of(outcome_.placements[i]), outcome_.placements[i].node);
    const std::set<std::string> stopped = std::exchange(stopped_, {});
    AllocationWriter allocations(cluster_);
    for (auto& read : cluster_.objects().pods) {
      api::Pod& pod = read.object;
      const std::string key = api::full_name(pod.metadata);
      if (const auto found = started.find(key); found != started.end()) {
        pod.spec.node_name = found->second;
        pod.status.phase = api::PodPhase::kRunning;
        pod.status.start_time = now_;
        allocations.write(pod);
      } else if (stopped.contains(key)) {
        pod.spec.node_name.clear();
        pod.status.phase = api::PodPhase::kPending;
        pod.status.start_time.reset();
      }
    }
    if (!made_.pods.empty()) {
      controllers::add(std::exchange(made_, {}), cluster_.objects());
      // They come with claims of their own. What is to be said of volumes was said of the pods that they follow.
      static_cast<void>(controllers::settle_claims(cluster_.objects()));
      controllers::settle_resource_claims(cluster_.objects(), {.now = now_});
    }
    if (std::exchange(restart_, false)) cluster_.restart();
  }

  void make_daemons() {
    api::ObjectSet& objects = cluster_.objects();
    controllers::settle_compute_domains(objects, {.now = now_});
    controllers::add(controllers::reconcile(objects, {.now = now_, .one_by_one = true}), objects);
    controllers::settle_resource_claims(objects, {.now = now_});
  }

  void note_preemption(engine::PodId pod) {
    const engine::World& world = cluster_.engine().world();
    const engine::WorkloadId loser = world.pod(pod).workload;
    if (loser.is_none() || world.workloads()[loser].placed() > 0) return;
    const engine::NameId name = world.workloads()[loser].input.name;
    if (std::ranges::find(outcome_.preempted, name) == outcome_.preempted.end()) outcome_.preempted.push_back(name);
  }

  Placement placement_of(const Lineage& lineage, const Decision& decision) const {
    Placement out;
    if (const api::Pod* pod = cluster_.pod(decision.pod)) {
      out.namespace_ = pod->metadata.namespace_;
      out.name = pod->metadata.name;
      out.owner = lineage.root(pod->metadata);
    }
    out.node = cluster_.node_name(decision.node);
    out.asks = asks_text(cluster_, decision.pod);
    out.score = decision.score;
    out.cards = decision.cards;
    out.claims = claims_of(decision.pod);
    return out;
  }

  std::vector<ClaimDevices> claims_of(engine::PodId pod) const {
    std::vector<ClaimDevices> out;
    const engine::World& world = cluster_.engine().world();
    const auto& names = cluster_.names().names;
    for (const engine::NameId name : world.pod(pod).claims) {
      const engine::devices::Grant* grant = world.holdings().grant(name);
      if (grant == nullptr || dialects::dra::DeviceDialect::is_look_for_daemon(names.text(name))) continue;
      ClaimDevices& claim = out.emplace_back();
      claim.claim = names.text(name);
      claim.given = grant->given;
      for (const engine::devices::DeviceAllocation& device : grant->devices) {
        const auto& key = world.holdings().inventory().key(device.device);
        claim.devices.push_back(std::string(names.text(key.pool)) + '/' + std::string(names.text(key.device)));
        add_conditions(pod, name, device, claim.waits_for);
      }
    }
    return out;
  }

  // What the drivers still have to report of the device before the pod is bound.
  void add_conditions(engine::PodId pod, engine::NameId claim, const engine::devices::DeviceAllocation& device,
                      std::vector<std::string>& out) const {
    const engine::World& world = cluster_.engine().world();
    const engine::NodeId node = world.pod(pod).node;
    if (node.is_none()) return;
    const auto& here = world.holdings().on(node, world.node(node).input).devices;
    const auto placed = std::ranges::find(here, device.device, &engine::devices::PlacedDevice::id);
    if (placed == here.end() || placed->binding.is_none()) return;
    for (const engine::NameId name : cluster_.names().devices().bindings.content(placed->binding).conditions) {
      std::string text(cluster_.names().names.text(name));
      if (is_reported(claim, device.device, text)) continue;
      const auto at = std::ranges::lower_bound(out, text);
      if (at == out.end() || *at != text) out.insert(at, std::move(text));
    }
  }

  bool is_reported(engine::NameId claim, engine::devices::DeviceId device, std::string_view condition) const {
    const auto* read = cluster_.translator().devices().claim(claim);
    if (read == nullptr) return false;
    const auto& key = cluster_.engine().world().holdings().inventory().key(device);
    const auto& names = cluster_.names().names;
    return std::ranges::any_of(read->object.status.devices, [&](const api::AllocatedDeviceStatus& status) {
      return status.driver == names.text(key.driver) && status.pool == names.text(key.pool) &&
             status.device == names.text(key.device) &&
             std::ranges::any_of(status.conditions, [&](const api::Condition& one) {
               return one.type == condition && one.status == "True";
             });
    });
  }

  Eviction eviction_of(const Lineage& lineage, const Decision& decision) const {
    const engine::World& world = cluster_.engine().world();
    Eviction out;
    out.pod = cluster_.names().names.text(world.pod(decision.pod).name);
    if (const api::Pod* pod = cluster_.pod(decision.pod)) out.owner = lineage.root(pod->metadata);
    out.node = cluster_.node_name(decision.node);
    out.asks = asks_text(cluster_, decision.pod);
    out.priority = world.shape_of(decision.pod).input.priority;
    out.beneficiary = cluster_.names().names.text(world.pod(decision.beneficiary).name);
    for (const engine::BrokenBudget& budget : decision.broken_budgets)
      out.broken_budgets.push_back(
          {std::string(cluster_.names().names.text(budget.name)), budget.allowed, budget.needed});
    return out;
  }

  Cluster& cluster_;
  engine::Time now_;
  Outcome outcome_;
  controllers::Expansion made_;
  // Placements of this plan, by their pods. What it takes back leaves an empty one until the end.
  boost::unordered_flat_map<std::string, std::size_t> placed_at_;
  std::set<std::string> stopped_;    // of those, who has to wait after all; not yet in the objects
  std::size_t first_placement_ = 0;  // of the round
  std::size_t first_eviction_ = 0;
  bool again_ = false;    // a decision was refused
  bool restart_ = false;  // the engine believes what is not so
};

}  // namespace

std::string text_of(const BrokenBudget& budget) {
  return fmt::format("breaks PodDisruptionBudget {}: {} allowed, {} needed", budget.name,
                     report::counted(static_cast<std::uint64_t>(std::max(budget.allowed, 0)), "disruption"),
                     budget.needed);
}

std::set<engine::PodId> planned_pods(const Cluster& cluster, const std::vector<Placement>& placements) {
  std::set<engine::PodId> out;
  for (const Placement& placement : placements) {
    const engine::PodId pod = cluster.engine().find_pod(cluster.names().names.find(name_of(placement)));
    if (!pod.is_none()) out.insert(pod);
  }
  return out;
}

std::string asks_text(const Cluster& cluster, engine::PodId pod) {
  const engine::ShapeInput& shape = cluster.engine().world().shape_of(pod).input;
  const engine::Names& names = cluster.names();
  std::vector<std::string> parts;
  for (const engine::CardRequest& card : shape.cards)
    if (card.packed) parts.push_back(report::cards_text(names, card));
  for (const engine::ClaimUse& use : shape.claims) {
    for (const engine::devices::Request& request : names.devices().claims.content(use.spec).requests) {
      const engine::devices::Alternative& first = request.alternatives.front();
      if (first.admin_access && names.names.text(first.device_class) == api::kComputeDomainDaemonClass) continue;
      const bool all = first.mode == engine::devices::Alternative::Mode::kAll;
      parts.push_back((all ? "all" : std::to_string(first.count)) + " of " +
                      std::string(names.names.text(first.device_class)));
    }
  }
  for (const engine::ResourceAmount& amount : shape.requests)
    parts.push_back(report::amount_text(names, amount.resource, false, amount.amount, report::Rounding::kUp));
  if (parts.empty()) return "nothing";
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : ", ") + part;
  return out;
}

Outcome decide(Cluster& cluster, engine::Time now) { return Decider(cluster, now).run(); }

}  // namespace berth::sim
