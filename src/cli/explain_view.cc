#include "cli/explain_view.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/json.h"
#include "cli/remarks.h"
#include "engine/world/world.h"
#include "report/amounts.h"
#include "report/layout.h"
#include "report/reasons.h"
#include "report/reasons_json.h"
#include "sim/surroundings.h"
#include "text/json_writer.h"

namespace berth::cli {
namespace {

using sim::Cluster;
using sim::Explanation;
using sim::PodAnswer;
using text::Color;
using State = PodAnswer::State;

constexpr std::size_t kFactWidth = 12;

std::string line(text::ColorMode color, std::string_view label, std::string_view text) {
  std::string first = "  " + text::paint(label, Color::kBold, color);
  first.append(label.size() < kFactWidth ? kFactWidth - label.size() : 1, ' ');
  return report::paragraph(first, text);
}

Color color_of(State state) {
  switch (state) {
    case State::kRuns:
    case State::kWouldStart:
      return Color::kGreen;
    case State::kWaits:
    case State::kNotReady:
      return Color::kYellow;
    case State::kWouldBeEvicted:
      return Color::kRed;
    case State::kFinished:
    case State::kLeftOut:
      return Color::kDim;
  }
  return Color::kNone;
}

std::string cards_of_pod(const PodAnswer& answer, const Cluster& cluster) {
  std::vector<std::string> parts;
  for (const engine::CardAssignment& cards : answer.cards) {
    std::string part = cards.milli == engine::kMilliPerCard
                           ? report::unit_text(cluster.names(), cards.resource, cards.cards.size() == 1)
                           : report::share_text(cards.milli, cards.millionths) + ' ' +
                                 report::unit_text(cluster.names(), cards.resource, true) + " of card";
    parts.push_back(fmt::format("{} {}", part, fmt::join(cards.cards, ",")));
  }
  return report::enumerate(parts, parts.size());
}

// What is left of the pod's cards, or of CPU, on the node where it is.
std::string room_text(const PodAnswer& answer, const Cluster& cluster) {
  const engine::World& world = cluster.engine().world();
  const engine::NodeId node = world.pod(answer.id).node;
  if (node.is_none()) return "";
  const engine::ShapeInput& shape = world.shape_of(answer.id).input;
  const engine::CardRequest* cards = shape.packed_cards();
  const engine::ResourceId resource = cards == nullptr ? engine::kCpu : cards->resource;
  const auto number = [&](engine::Amount amount) {
    return report::number_text(cluster.names(), resource, true, amount, report::Rounding::kDown);
  };
  return fmt::format("{} has {} of {} {} free", answer.node, number(world.free(node, resource)),
                     number(world.allocatable(node, resource)), report::unit_text(cluster.names(), resource, false));
}

std::string state_text(const PodAnswer& answer, const Cluster& cluster) {
  switch (answer.state) {
    case State::kRuns:
    case State::kWouldStart: {
      const bool leaves = answer.state == State::kRuns && cluster.engine().world().pod(answer.id).terminating;
      std::string text = leaves ? "it is being deleted and still has its place on " + answer.node
                         : answer.state == State::kRuns ? "nothing to explain: it has its place on " + answer.node
                         : answer.evictions.empty()     ? "nothing is in its way: it would start on " + answer.node
                                                        : "it would start on " + answer.node + " once others have left";
      if (const std::string cards = cards_of_pod(answer, cluster); !cards.empty()) text += " with " + cards;
      if (const std::string room = room_text(answer, cluster); !room.empty())
        text += (answer.state == State::kRuns ? "; " : "; then ") + room;
      return text;
    }
    case State::kWouldBeEvicted: {
      std::string text = "would have to leave " + answer.node + ", so that " + answer.note + " can run";
      for (const sim::BrokenBudget& budget : answer.broken_budgets) text += "; this " + text_of(budget);
      if (!answer.replacement.empty()) text += "; its controller would make " + answer.replacement + " instead";
      return text;
    }
    case State::kFinished:
    case State::kLeftOut:
      return answer.note;
    case State::kWaits:
    case State::kNotReady:
      return "";
  }
  return "";
}

// Who would have to leave for the pod, one line each; the first few, where they are many.
std::string evictions_text(const PodAnswer& answer, text::ColorMode color) {
  constexpr std::size_t kMost = 8;
  std::string out;
  for (std::size_t i = 0; i < std::min(answer.evictions.size(), kMost); ++i) {
    const sim::Eviction& eviction = answer.evictions[i];
    std::string text = eviction.pod + " on " + eviction.node;
    for (const sim::BrokenBudget& budget : eviction.broken_budgets) text += "; this " + text_of(budget);
    if (!eviction.replacement.empty() && eviction.pod != answer.namespace_ + '/' + eviction.replacement)
      text += "; its controller would make " + eviction.replacement + " instead";
    out += line(color, i == 0 ? "Evicts" : "", text);
  }
  if (answer.evictions.size() > kMost)
    out += line(color, "", fmt::format("and {} more; `berth plan` lists them", answer.evictions.size() - kMost));
  return out;
}

// Pods that a plan starts.
using Planned = std::set<engine::PodId>;

std::string pod_text(const PodAnswer& answer, const Planned& planned, Cluster& cluster, text::ColorMode color) {
  std::vector<text::Cell> title = {{fmt::format("Pod {}/{}", answer.namespace_, answer.name), Color::kBold},
                                   {"  "},
                                   {std::string(phrase_of(answer.state)), color_of(answer.state)}};
  const bool explained = answer.state == State::kWaits || answer.state == State::kNotReady;
  if (answer.state == State::kWaits) {
    title.emplace_back(": ");
    title.emplace_back(std::string(report::name_of(answer.reason.reason_class)), Color::kYellow);
  }
  std::string out = report::paragraph("", title, color);
  if (!answer.asks.empty()) out += line(color, "Asks", fmt::format("{}; priority {}", answer.asks, answer.priority));
  if (const std::string text = state_text(answer, cluster); !text.empty()) out += line(color, "State", text);
  out += evictions_text(answer, color);
  if (answer.sharing > sim::Sharing::kExclusive)
    out += line(color, "Sharing",
                fmt::format("{}; kept apart from others: {}", phrase_of(answer.sharing), isolation_of(answer.sharing)));
  if (!explained) return out;
  const sim::EngineSurroundings around(cluster, answer.id, &planned);
  for (const report::Fact& fact : report::facts(answer.reason, around)) out += line(color, fact.label, fact.text);
  for (const std::string& hint : answer.hints) out += line(color, "Hint", hint);
  return out;
}

// The surroundings of one pod after the other, found once for those that are alike and follow each other.
class Around {
 public:
  Around(Cluster& cluster, const Planned& planned) : surroundings_(cluster, engine::PodId::none(), &planned) {}

  const sim::EngineSurroundings& of(const PodAnswer& answer) {
    if (answer.alike != alike_ || alike_.is_none()) surroundings_.turn_to(answer.id);
    alike_ = answer.alike;
    return surroundings_;
  }

 private:
  sim::EngineSurroundings surroundings_;
  engine::PodId alike_ = engine::PodId::none();
};

// Pods of a controller that are in one state for one reason.
struct PodGroupAnswer {
  const PodAnswer* example = nullptr;
  std::vector<std::string> names;
  std::map<std::string, std::int64_t> nodes;
};

std::vector<PodGroupAnswer> groups_of(const Explanation& explanation, Cluster& cluster) {
  const Planned& planned = explanation.planned;
  std::vector<PodGroupAnswer> groups;
  std::map<std::pair<State, std::string>, std::size_t> positions;
  std::map<engine::PodId, std::string> sentences;  // of those that are the first of their like
  Around around(cluster, planned);
  for (const PodAnswer& answer : explanation.pods) {
    std::string why = answer.note;
    if (answer.state == State::kWaits || answer.state == State::kNotReady) {
      const auto [sentence, unknown] = sentences.try_emplace(answer.alike);
      if (unknown) sentence->second = report::sentence(answer.reason, around.of(answer));
      why = sentence->second;
    }
    const auto [entry, fresh] = positions.try_emplace({answer.state, std::move(why)}, groups.size());
    if (fresh) groups.push_back({&answer, {}, {}});
    groups[entry->second].names.push_back(answer.name);
    if (!answer.node.empty()) ++groups[entry->second].nodes[answer.node];
  }
  return groups;
}

std::string controller_text(const Explanation& explanation, Cluster& cluster, text::ColorMode color) {
  const std::vector<text::Cell> title = {
      {fmt::format("{} {}/{}", explanation.kind, explanation.namespace_, explanation.name), Color::kBold},
      {"  " + report::counted(explanation.pods.size(), "pod")}};
  std::string out = report::paragraph("", title, color);
  if (explanation.pods.empty()) return out + line(color, "State", "has no pods, and none would be made now");
  const std::vector<PodGroupAnswer> groups = groups_of(explanation, cluster);
  for (const PodGroupAnswer& group : groups) {
    std::vector<std::string> nodes;
    for (const auto& [node, count] : group.nodes)
      nodes.push_back(count > 1 ? fmt::format("{} x{}", node, count) : node);
    std::string text = report::name_list(group.names, 4);
    if (!nodes.empty()) text += " on " + report::enumerate(nodes, 6);
    out += line(
        color, fmt::format("{} {}", group.names.size(), phrase_of(group.example->state, group.names.size() > 1)), text);
  }
  for (const PodGroupAnswer& group : groups) {
    const State state = group.example->state;
    if (state == State::kRuns || state == State::kFinished) continue;
    out += '\n' + pod_text(*group.example, explanation.planned, cluster, color);
  }
  return out;
}

void write_pod(text::JsonWriter& writer, const PodAnswer& answer, Cluster& cluster, Around& around) {
  writer.begin_object();
  writer.member("namespace", answer.namespace_);
  writer.member("name", answer.name);
  writer.member("state", name_of(answer.state));
  if (!answer.node.empty()) writer.member("node", answer.node);
  if (!answer.note.empty()) writer.member("note", answer.note);
  if (!answer.replacement.empty()) writer.member("replacement", answer.replacement);
  write_broken_budgets(writer, answer.broken_budgets);
  if (!answer.evictions.empty()) write_evictions(writer, answer.evictions);
  if (!answer.asks.empty()) {
    writer.member("asks", answer.asks);
    writer.member("priority", std::int64_t{answer.priority});
  }
  if (!answer.id.is_none()) {
    write_card_assignments(writer, answer.cards, cluster);
    write_sharing(writer, answer.sharing);
  }
  if (answer.state == State::kWaits || answer.state == State::kNotReady) {
    writer.key("reason");
    report::write_reason(writer, answer.reason, around.of(answer));
  }
  if (!answer.hints.empty()) write_strings(writer, "hints", answer.hints);
  writer.end_object();
}

}  // namespace

std::string explanation_text(const Explanation& explanation, const Input& input, Cluster& cluster,
                             text::ColorMode color) {
  std::string out;
  if (explanation.kind == "Pod") {
    for (const PodAnswer& answer : explanation.pods) out += pod_text(answer, explanation.planned, cluster, color);
  } else {
    out = controller_text(explanation, cluster, color);
  }
  const std::string remarks = skipped_text(input, color, "-o json has all") + weaker_text(explanation.weaker, color);
  return remarks.empty() ? out : out + '\n' + remarks;
}

std::string explanation_json(const Explanation& explanation, const Input& input, Cluster& cluster) {
  std::string out;
  text::JsonWriter writer(out, text::JsonStyle::kPretty);
  begin_document(writer, "Explanation");
  writer.key("subject");
  writer.begin_object();
  writer.member("kind", explanation.kind);
  writer.member("namespace", explanation.namespace_);
  writer.member("name", explanation.name);
  writer.end_object();
  writer.key("pods");
  writer.begin_array();
  Around around(cluster, explanation.planned);
  for (const PodAnswer& answer : explanation.pods) write_pod(writer, answer, cluster, around);
  writer.end_array();
  write_strings(writer, "weaker", explanation.weaker);
  write_strings(writer, "skipped", input.skipped);
  write_errors(writer, "errors", input.errors);
  writer.end_object();
  return out + '\n';
}

}  // namespace berth::cli
