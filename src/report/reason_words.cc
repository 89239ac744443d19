#include "report/reason_words.h"

#include <algorithm>

#include "report/amounts.h"
#include "report/layout.h"

namespace berth::report {

using engine::Amount;
using engine::NodeCause;
using engine::Reason;

namespace {

// Shares of cards by memory are told in MiB, as they are asked.
std::string memory_text(Amount bytes, Rounding rounding) {
  constexpr Amount kMebibyte = Amount{1} << 20U;
  return std::to_string((bytes + (rounding == Rounding::kUp ? kMebibyte - 1 : 0)) / kMebibyte);
}

// A NUMA node is handed out like a card whose memory are its CPUs.
bool is_numa(const Reason& reason, const Surroundings& around) {
  return reason.card_memory && !around.is_card(reason.resource);
}

}  // namespace

std::uint32_t count(const Reason& reason, NodeCause cause) { return reason.nodes[static_cast<std::size_t>(cause)]; }

bool has(const Reason& reason, NodeCause cause) { return count(reason, cause) > 0; }

std::string asked(const Reason& reason, const Surroundings& around) {
  if (is_numa(reason, around)) return counted(static_cast<std::uint64_t>(reason.needed), "CPU") + " of one NUMA node";
  if (reason.card_memory) return memory_text(reason.needed, Rounding::kUp) + " MiB of one GPU's memory";
  return amount_text(around.names(), reason.resource, around.is_card(reason.resource), reason.needed, Rounding::kUp);
}

std::string there_is(const Reason& reason, const Surroundings& around, Amount amount) {
  if (is_numa(reason, around)) return std::to_string(amount);
  if (reason.card_memory) return memory_text(amount, Rounding::kDown) + " MiB";
  return number_text(around.names(), reason.resource, around.is_card(reason.resource), amount, Rounding::kDown);
}

std::string asked_in_full(const Reason& reason, const Surroundings& around) {
  std::string text = asked(reason, around);
  const std::string name(around.names().resources.text(reason.resource));
  if (around.is_card(reason.resource) && text.find(name) == std::string::npos) text += " (" + name + ")";
  return text;
}

std::string_view absence(bool refused) {
  return refused ? "is in the input and could not be read; correct its error" : "does not exist in the input";
}

std::string absent_text(const Surroundings& around, std::string_view kind, std::string_view name,
                        std::string_view what) {
  std::string text(kind);
  text += kind.empty() ? "" : " ";
  text += name;
  text += what;
  return text + ' ' + std::string(absence(around.was_refused(kind, name)));
}

std::string nodes_text(const Reason& reason, const Surroundings& around, NodeCause cause, std::size_t limit) {
  std::vector<std::string> nodes = around.nodes_with(cause);
  if (nodes.empty()) return counted(count(reason, cause), "node");
  return name_list(std::move(nodes), limit);
}

std::string taint_text(const engine::Taint& taint, const engine::Names& names) {
  std::string out(names.label_keys.text(taint.key));
  if (!taint.value.is_none() && !names.text(taint.value).empty()) out += "=" + std::string(names.text(taint.value));
  switch (taint.effect) {
    case engine::Effect::kNoSchedule:
      return out + ":NoSchedule";
    case engine::Effect::kPreferNoSchedule:
      return out + ":PreferNoSchedule";
    case engine::Effect::kNoExecute:
      return out + ":NoExecute";
  }
  return out;
}

std::string taints_text(const Reason& reason, const Surroundings& around) {
  std::vector<std::string> texts;
  for (const TaintedNodes& tainted : around.taints()) texts.push_back(taint_text(tainted.taint, around.names()));
  if (texts.empty() && !reason.taint.key.is_none()) texts.push_back(taint_text(reason.taint, around.names()));
  return enumerate(texts, 2);
}

std::vector<std::string> cause_counts(const Reason& reason) {
  std::vector<std::pair<std::uint32_t, NodeCause>> causes;
  for (std::size_t i = 0; i < engine::kNodeCauseCount; ++i)
    if (reason.nodes[i] > 0) causes.emplace_back(reason.nodes[i], static_cast<NodeCause>(i));
  std::ranges::stable_sort(causes, [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> out;
  for (const auto& [nodes, cause] : causes) out.push_back(grouped(nodes) + " " + std::string(phrase_of(cause)));
  return out;
}

std::string shortened(std::string text) {
  constexpr std::size_t kMost = 200;
  if (text.size() <= kMost) return text;
  return text.substr(0, text.rfind(' ', kMost)) + " ...";
}

bool is_about_amounts(const Reason& reason) {
  return !reason.resource.is_none() && reason.needed > 0 &&
         (has(reason, NodeCause::kInsufficient) || has(reason, NodeCause::kCardFragmented) ||
          has(reason, NodeCause::kTooManyPods));
}

}  // namespace berth::report
