#include "sim/case/never.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/lower_case.h"
#include "base/whole_number.h"

namespace berth::sim {
namespace {

std::vector<std::string> split(std::string_view sentence) {
  std::vector<std::string> words;
  while (!sentence.empty()) {
    const std::size_t end = std::min(sentence.find_first_of(" \t\n"), sentence.size());
    std::string_view word = sentence.substr(0, end);
    sentence.remove_prefix(std::min(end + 1, sentence.size()));
    while (word.ends_with('.') || word.ends_with(',')) word.remove_suffix(1);
    if (!word.empty()) words.emplace_back(word);
  }
  return words;
}

bool is_one_of(const std::string& word, std::span<const std::string_view> list) {
  return std::ranges::find(list, lowered(word)) != list.end();
}

// Words without articles; "any pod" and "a pod" become "*". A pod may be called "a": before a verb, "and" or the end of
// the sentence it is a name.
std::vector<std::string> words_of(std::string_view sentence) {
  static constexpr std::array<std::string_view, 4> kArticles = {"a", "an", "the", "any"};
  static constexpr std::array<std::string_view, 9> kBehindNames = {"is",  "and",    "run",   "runs", "holds",
                                                                   "has", "starts", "share", "while"};
  const std::vector<std::string> words = split(sentence);
  std::vector<std::string> out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool last = i + 1 == words.size();
    if (last || !is_one_of(words[i], kArticles) || is_one_of(words[i + 1], kBehindNames)) {
      out.push_back(words[i]);
    } else if (lowered(words[i + 1]) == "pod") {
      out.emplace_back("*");
      ++i;
    }
  }
  return out;
}

std::optional<std::int64_t> number_of(std::string_view word) {
  static constexpr std::array<std::string_view, 11> kWords = {"zero", "one",   "two",   "three", "four", "five",
                                                              "six",  "seven", "eight", "nine",  "ten"};
  for (std::size_t i = 0; i < kWords.size(); ++i)
    if (word == kWords[i]) return static_cast<std::int64_t>(i);
  return whole_number<std::int64_t>(word);
}

struct Bound {
  std::string x, y, node;
  std::int64_t number = 0;
};

// The pattern's words: <x>, <y> and <node> bind a word, <n> a number, others stand for themselves.
std::optional<Bound> match(std::string_view pattern, const std::vector<std::string>& words) {
  Bound bound;
  std::size_t at = 0;
  while (!pattern.empty()) {
    const std::size_t end = std::min(pattern.find(' '), pattern.size());
    const std::string_view part = pattern.substr(0, end);
    pattern.remove_prefix(std::min(end + 1, pattern.size()));
    if (at == words.size()) return std::nullopt;
    const std::string& word = words[at++];
    if (part == "<x>") {
      bound.x = word;
    } else if (part == "<y>") {
      bound.y = word;
    } else if (part == "<node>") {
      bound.node = word;
    } else if (part == "<n>") {
      const auto number = number_of(lowered(word));
      if (!number) return std::nullopt;
      bound.number = *number;
    } else if (lowered(word) != part) {
      return std::nullopt;
    }
  }
  if (at != words.size()) return std::nullopt;
  return bound;
}

using Found = std::optional<std::string>;
using State = PodRecord::State;

// The first pod of `ref` for which the predicate holds.
template <class Predicate>
const PodRecord* first(const Moment& now, const std::string& ref, Predicate predicate) {
  for (const PodRecord* pod : now.pods)
    if (belongs_to(*pod, ref) && predicate(*pod)) return pod;
  return nullptr;
}

template <class Predicate>
std::int64_t count(const Moment& now, const std::string& ref, Predicate predicate) {
  return std::ranges::count_if(now.pods,
                               [&](const PodRecord* pod) { return belongs_to(*pod, ref) && predicate(*pod); });
}

bool is_running(const PodRecord& pod) { return pod.running(); }
bool is_pending(const PodRecord& pod) { return pod.pending(); }
bool was_evicted(const PodRecord& pod) { return pod.state == State::kEvicted; }

Found evicted(const Moment& now, const Bound& b) {
  const PodRecord* pod = first(now, b.x, was_evicted);
  if (pod == nullptr) return std::nullopt;
  return fmt::format("{} was evicted for {}", pod->name, pod->evicted_for);
}

Found evicted_twice(const Moment& now, const Bound& b) {
  const std::int64_t times = count(now, b.x, was_evicted);
  if (times < 2) return std::nullopt;
  return fmt::format("{} was evicted {} times", b.x, times);
}

Found holds_card(const Moment& now, const Bound& b) {
  const PodRecord* pod = first(now, b.x, [&](const PodRecord& p) {
    return p.running() && p.card_count > 0 && (b.node.empty() || p.node == b.node);
  });
  if (pod == nullptr) return std::nullopt;
  return fmt::format("{} holds {} on {}", pod->name, pod->card_count, pod->node);
}

Found runs(const Moment& now, const Bound& b) {
  const PodRecord* pod =
      first(now, b.x, [&](const PodRecord& p) { return p.running() && (b.node.empty() || p.node == b.node); });
  if (pod == nullptr) return std::nullopt;
  return fmt::format("{} runs on {}", pod->name, pod->node);
}

Found starts_before(const Moment& now, const Bound& b) {
  const PodRecord* pod = first(now, b.x, [](const PodRecord& p) { return p.started.has_value(); });
  if (pod == nullptr) return std::nullopt;
  const PodRecord* other =
      first(now, b.y, [&](const PodRecord& p) { return p.started.has_value() && *p.started <= *pod->started; });
  if (other != nullptr) return std::nullopt;
  return fmt::format("{} started at {}, {} had not", pod->name, *pod->started, b.y);
}

Found runs_while_runs(const Moment& now, const Bound& b) {
  const PodRecord* x = first(now, b.x, is_running);
  const PodRecord* y = first(now, b.y, is_running);
  if (x == nullptr || y == nullptr) return std::nullopt;
  return fmt::format("{} and {} run", x->name, y->name);
}

Found runs_while_pending(const Moment& now, const Bound& b) {
  const PodRecord* x = first(now, b.x, is_running);
  const PodRecord* y = first(now, b.y, is_pending);
  if (x == nullptr || y == nullptr) return std::nullopt;
  return fmt::format("{} runs and {} is pending", x->name, y->name);
}

Found runs_while_few(const Moment& now, const Bound& b) {
  const PodRecord* x = first(now, b.x, is_running);
  const std::int64_t members = count(now, b.y, is_running);
  if (x == nullptr || members >= b.number) return std::nullopt;
  return fmt::format("{} runs and {} has {} running", x->name, b.y, members);
}

Found too_many_run(const Moment& now, const Bound& b) {
  const std::string ref = b.x.empty() ? "*" : b.x;
  const std::int64_t running =
      count(now, ref, [&](const PodRecord& p) { return p.running() && (b.node.empty() || p.node == b.node); });
  if (running <= b.number) return std::nullopt;
  return fmt::format("{} run", running);
}

Found same_node(const Moment& now, const Bound& b) {
  for (const PodRecord* x : now.pods) {
    if (!x->running() || !belongs_to(*x, b.x)) continue;
    const PodRecord* y =
        first(now, b.y, [&](const PodRecord& p) { return &p != x && p.running() && p.node == x->node; });
    if (y != nullptr) return fmt::format("{} and {} run on {}", x->name, y->name, x->node);
  }
  return std::nullopt;
}

Found more_pods_than_cards(const Moment& now, const Bound& b) {
  const std::int64_t users =
      count(now, "*", [&](const PodRecord& p) { return p.running() && p.card_count > 0 && p.node == b.node; });
  const std::int64_t cards = now.cards_of_node(b.node);
  if (users <= cards) return std::nullopt;
  return fmt::format("{} pods use the {} cards of {}", users, cards, b.node);
}

Found evicted_without_plan(const Moment& now, const Bound& b) {
  const PodRecord* pod = first(now, b.x, [](const PodRecord& p) { return was_evicted(p) && p.evicted_without_plan; });
  if (pod == nullptr) return std::nullopt;
  return fmt::format("{} was evicted for {}, which was not placed", pod->name, pod->evicted_for);
}

constexpr std::array<std::pair<std::string_view, Found (*)(const Moment&, const Bound&)>, 21> kGrammar = {{
    {"<x> is evicted second time", evicted_twice},
    {"<x> is evicted twice", evicted_twice},
    {"<x> is evicted", evicted},
    {"<x> is evicted before complete plan exists", evicted_without_plan},
    {"<x> holds gpu", holds_card},
    {"<x> holds card", holds_card},
    {"<x> holds gpu on <node>", holds_card},
    {"<x> runs", runs},
    {"<x> runs on <node>", runs},
    {"<x> starts", runs},
    {"<x> starts before <y>", starts_before},
    {"<x> runs while <y> runs", runs_while_runs},
    {"<x> runs while <y> is pending", runs_while_pending},
    {"<x> runs while <y> waits", runs_while_pending},
    {"<x> runs while <y> has fewer than <n> running members", runs_while_few},
    {"more than <n> pods of <x> run", too_many_run},
    {"more than <n> pods run on <node>", too_many_run},
    {"more than <n> pods of <x> run on <node>", too_many_run},
    {"<x> and <y> run on same node", same_node},
    {"<x> and <y> share node", same_node},
    {"more pods than cards use <node>", more_pods_than_cards},
}};

}  // namespace

std::optional<NeverCheck> understand_never(std::string_view sentence) {
  const std::vector<std::string> words = words_of(sentence);
  for (const auto& [pattern, check] : kGrammar)
    if (auto bound = match(pattern, words))
      return NeverCheck([bound = *std::move(bound), holds = check](const Moment& now) { return holds(now, bound); });
  return std::nullopt;
}

}  // namespace berth::sim
