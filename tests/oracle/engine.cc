#include "engine/engine.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "api/full_name.h"
#include "dialects/kubernetes/translator.h"
#include "engine/fit/filters.h"
#include "engine/world/world.h"
#include "oracle/loaded_world.h"

namespace berth::oracle {
namespace {

constexpr engine::Time kNow = 1'767'700'000;  // after everything in the worlds

std::string_view name_of(engine::Filter filter) {
  switch (filter) {
    case engine::Filter::kNodeUnschedulable:
      return "NodeUnschedulable";
    case engine::Filter::kNodeName:
      return "NodeName";
    case engine::Filter::kTaintToleration:
      return "TaintToleration";
    case engine::Filter::kNodeAffinity:
      return "NodeAffinity";
    case engine::Filter::kNodePorts:
      return "NodePorts";
    case engine::Filter::kNodeResourcesFit:
      return "NodeResourcesFit";
    case engine::Filter::kVolumeRestrictions:
      return "VolumeRestrictions";
    case engine::Filter::kVolumeBinding:
      return "VolumeBinding";
    case engine::Filter::kPodTopologySpread:
      return "PodTopologySpread";
    case engine::Filter::kInterPodAffinity:
      return "InterPodAffinity";
    case engine::Filter::kDynamicResources:
      return "DynamicResources";
    case engine::Filter::kNodeDeclaredFeatures:
      return "NodeDeclaredFeatures";
  }
  return "";
}

std::string_view name_of(engine::Score score) {
  switch (score) {
    case engine::Score::kNodeResourcesFit:
      return "NodeResourcesFit";
    case engine::Score::kBalancedAllocation:
      return "NodeResourcesBalancedAllocation";
    case engine::Score::kNodeAffinity:
      return "NodeAffinity";
    case engine::Score::kTaintToleration:
      return "TaintToleration";
    case engine::Score::kPodTopologySpread:
      return "PodTopologySpread";
    case engine::Score::kInterPodAffinity:
      return "InterPodAffinity";
    case engine::Score::kImageLocality:
      return "ImageLocality";
    case engine::Score::kVolumeBinding:
      return "VolumeBinding";
    case engine::Score::kDynamicResources:
      return "DynamicResources";
    case engine::Score::kPlacementPolicy:
      return "PlacementPolicy";
  }
  return "";
}

// The engine over one world, asked about one pending pod at a time.
class Asked {
 public:
  Asked(const LoadedWorld& loaded, const api::SchedulerConfiguration& configuration)
      : loaded_(loaded),
        translator_(configuration, names_, {.now = kNow, .excerpt = false}),
        events_(translator_.update(loaded.objects)) {}

  [[nodiscard]] bool is_gated(const api::Pod& pod) {
    return translator_.translate(pod).hold.cause == engine::HoldCause::kSchedulingGate;
  }

  // By anything but a gate.
  [[nodiscard]] bool is_held(const api::Pod& pod) { return translate(pod).hold.cause != engine::HoldCause::kNone; }

  Findings ask(const api::Pod& pod) {
    const engine::PodInput input = translate(pod);
    engine::Engine engine = make_engine();
    engine.apply(std::vector<engine::Event>{engine::PodChanged{input}}, kNow);
    const engine::PodId id = engine.find_pod(input.name);
    const engine::Profile& profile = *profile_of(input);
    Findings findings;
    add_filters(engine, id, profile, findings);
    if (input.hold.cause != engine::HoldCause::kNone) {
      // A pod that waits for a claim is not asked about any node; upstream lets these two filters refuse all of them.
      findings.filters.erase("VolumeRestrictions");
      findings.filters.erase("VolumeZone");
      findings.filters["VolumeBinding"] = std::string(loaded_.objects.nodes.size(), 'N');
      return findings;
    }
    add_scores(engine, id, profile, findings);
    if (findings.feasible.empty()) add_plan(input, findings);
    return findings;
  }

  // What the pod's volumes say about each node.
  std::string volume_letters(const api::Pod& pod) {
    const engine::PodInput input = translate(pod);
    engine::Engine engine = make_engine();
    engine.apply(std::vector<engine::Event>{engine::PodChanged{input}}, kNow);
    Findings findings;
    add_filters(engine, engine.find_pod(input.name), *profile_of(input), findings);
    return findings.filters.at("VolumeBinding");
  }

 private:
  // A pod that names its node is one that runs there, for Berth as for the API. Upstream's filter NodeName is asked
  // with the name all the same, so the shape gets it. Gates would hide whatever else holds the pod.
  engine::PodInput translate(const api::Pod& pod) {
    api::Pod waiting = pod;
    waiting.spec.node_name.clear();
    waiting.spec.scheduling_gates.clear();
    engine::PodInput input = translator_.translate(waiting);
    if (!pod.spec.node_name.empty()) input.shape.node_name = names_.names.intern(pod.spec.node_name);
    return input;
  }

  engine::Engine make_engine() {
    config_ = translator_.config();
    engine::Engine engine(config_, names_);
    engine.apply(events_, kNow);
    return engine;
  }

  const engine::Profile* profile_of(const engine::PodInput& input) const {
    const auto same = [&](const engine::Profile& profile) { return profile.id == input.shape.profile; };
    return &*std::ranges::find_if(config_.profiles, same);
  }

  // Positions in the world's order of nodes.
  std::size_t position(const engine::Engine& engine, engine::NodeId id) const {
    for (std::size_t i = 0; i < loaded_.objects.nodes.size(); ++i) {
      if (node_id(engine, i) == id) return i;
    }
    return loaded_.objects.nodes.size();
  }

  engine::NodeId node_id(const engine::Engine& engine, std::size_t position) const {
    return engine.find_node(names_.names.find(loaded_.objects.nodes[position].object.metadata.name));
  }

  void add_filters(engine::Engine& engine, engine::PodId pod, const engine::Profile& profile,
                   Findings& findings) const {
    const engine::Engine::FilterTable table = engine.filter_table(pod);
    const engine::World& world = engine.world();
    const engine::Question question{.world = world,
                                    .shape = world.shape_of(pod),
                                    .plan = world.topology().plan(world.pod(pod).shape),
                                    .closed = {}};
    for (std::size_t filter = 0; filter < profile.filters.size(); ++filter) {
      std::string letters;
      for (std::size_t i = 0; i < loaded_.objects.nodes.size(); ++i) {
        const engine::NodeId node = node_id(engine, i);
        const bool passes = table.passes[filter][node.index()];
        // The table does not keep what preemption asks of a refusal.
        letters += passes ? '.' : check_filter(profile.filters[filter], question, node).resolvable ? 'U' : 'N';
      }
      findings.filters[std::string(name_of(profile.filters[filter]))] = letters;
    }
  }

  void add_scores(engine::Engine& engine, engine::PodId pod, const engine::Profile& profile, Findings& findings) const {
    const engine::Engine::ScoreTable table = engine.score_table(pod);
    std::vector<std::pair<std::size_t, std::size_t>> order;  // position in the world, position in the table
    for (std::size_t i = 0; i < table.nodes.size(); ++i) order.emplace_back(position(engine, table.nodes[i]), i);
    std::ranges::sort(order);
    for (const auto& [place, entry] : order) {
      findings.feasible.push_back(place);
      findings.totals.push_back(table.total[entry]);
    }
    for (std::size_t score = 0; score < profile.scores.size(); ++score) {
      Findings::Score& found = findings.scores[std::string(name_of(profile.scores[score].score))];
      found.weight = profile.scores[score].weight;
      if (table.raw[score].empty()) continue;  // switched off; the comparison tells
      for (const auto& [place, entry] : order) {
        found.raw.push_back(table.raw[score][entry]);
        found.normalized.push_back(table.normalized[score][entry]);
      }
    }
  }

  // Where a pod that was promised a node gets one in the same step, or loses the promise, the two are no longer asked
  // alone.
  void add_plan(const engine::PodInput& input, Findings& findings) {
    engine::Engine engine = make_engine();
    const auto result = engine.step(std::vector<engine::Event>{engine::PodChanged{input}}, kNow);
    findings.asked_for_plan = result.withdrawn.empty();
    if (result.decisions.empty() || !findings.asked_for_plan) return;
    // A decision names slots, which a second engine with the same history fills in the same way and keeps.
    engine::Engine before = make_engine();
    before.apply(std::vector<engine::Event>{engine::PodChanged{input}}, kNow);
    const engine::PodId asked = before.find_pod(input.name);
    findings.asked_for_plan = std::ranges::all_of(result.decisions, [&](const engine::Decision& decision) {
      return (decision.kind == engine::Decision::Kind::kPlace ? decision.pod : decision.beneficiary) == asked;
    });
    if (!findings.asked_for_plan) return;
    Findings::Plan plan;
    for (const engine::Decision& decision : result.decisions) {
      if (decision.kind == engine::Decision::Kind::kPlace) {
        plan.node = loaded_.objects.nodes[position(before, decision.node)].object.metadata.name;
      } else {
        plan.victims.push_back(pod_name(before, decision.pod));
      }
    }
    findings.plan = std::move(plan);
  }

  std::string pod_name(const engine::Engine& engine, engine::PodId id) const {
    for (const auto& [pod, place] : loaded_.objects.pods) {
      const std::string name = api::full_name(pod.metadata);
      if (engine.find_pod(names_.names.find(name)) == id) return name;
    }
    return "";
  }

  const LoadedWorld& loaded_;
  engine::Names names_;
  dialects::kubernetes::Translator translator_;
  std::vector<engine::Event> events_;
  engine::Config config_;
};

api::SchedulerConfiguration without(api::SchedulerConfiguration configuration, api::Plugin filter) {
  for (api::SchedulerProfile& profile : configuration.profiles) std::erase(profile.filters, filter);
  return configuration;
}

// The engine answers VolumeBinding and VolumeZone as one; for each alone it is asked without the other.
class VolumeFilters {
 public:
  explicit VolumeFilters(const LoadedWorld& loaded)
      : binding_(loaded, without(loaded.configuration, api::Plugin::kVolumeZone)),
        zone_(loaded, without(loaded.configuration, api::Plugin::kVolumeBinding)) {}

  void tell_apart(const api::Pod& pod, Findings& findings) {
    findings.filters["VolumeBinding"] = binding_.volume_letters(pod);
    findings.filters["VolumeZone"] = zone_.volume_letters(pod);
  }

 private:
  Asked binding_;
  Asked zone_;
};

}  // namespace

void compare_engine(const World& world, const LoadedWorld& loaded, Comparison& comparison) {
  Asked asked(loaded, loaded.configuration);
  VolumeFilters volume_filters(loaded);
  for (std::size_t i = 0; i < loaded.pending.size(); ++i) {
    const Answer& answer = world.answers[i];
    const api::SchedulerProfile* profile = profile_of(loaded, loaded.pending[i]);
    if (profile == nullptr || !answer.error.empty()) {
      comparison.leave_out(world, answer, profile == nullptr);
      continue;
    }
    Findings findings = asked.ask(loaded.pending[i]);
    if (!asked.is_held(loaded.pending[i])) volume_filters.tell_apart(loaded.pending[i], findings);
    findings.upstream_miscounts = upstream_miscounts(loaded, loaded.pending[i], *profile);
    findings.gated = asked.is_gated(loaded.pending[i]);
    comparison.compare(world, answer, findings);
  }
}

}  // namespace berth::oracle
