#include "sim/case/case_file.h"

#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "api/selector.h"
#include "base/near_names.h"
#include "report/reasons.h"
#include "text/json_writer.h"
#include "text/value.h"
#include "text/yaml_documents.h"
#include "text/yaml_reader.h"

namespace berth::sim {
namespace {

using text::Member;
using text::Value;

// Where in the header something is: "steps[2].at", and the value there.
struct At {
  std::string path;
  std::int32_t line = 0;
};

At at(const Value& value, std::string path) {
  return {std::move(path), static_cast<std::int32_t>(value.origin().line)};
}
At below(const At& where, const Member& member) {
  return at(member.value, fmt::format("{}.{}", where.path, member.name()));
}

std::unexpected<Error> bad(const At& where, std::string message) {
  Place place;
  place.line = where.line;
  place.field = where.path;
  return fail(ErrorCode::kInvalid, std::move(message), std::move(place));
}
std::unexpected<Error> bad(std::string_view where, std::string message) {
  return bad(At{std::string(where), 0}, std::move(message));
}

// As much of a user's text as a sentence bears.
std::string_view cut(std::string_view text) { return text.substr(0, 64); }

// Text of a string, a number or a boolean, as written.
std::optional<std::string> scalar(const Value& value) {
  if (value.is_string() || value.is_number()) return std::string(value.text());
  if (value.is_bool()) return value.is_true() ? "true" : "false";
  return std::nullopt;
}

Result<std::string> text_of(const Value& value, const At& where) {
  if (auto found = scalar(value)) return *std::move(found);
  return bad(where, fmt::format("This has to be a text, not {}.", text::describe(value.kind())));
}

Result<std::int64_t> integer_of(const Value& value, const At& where, std::int64_t least, std::int64_t most) {
  const auto number = value.as_int64();
  if (number && *number >= least && *number <= most) return *number;
  const std::string shown = scalar(value).value_or(std::string(text::describe(value.kind())));
  if (most == std::numeric_limits<std::int64_t>::max())
    return bad(where, fmt::format("'{}' is no whole number from {} on; correct it.", cut(shown), least));
  return bad(where, fmt::format("'{}' is no whole number from {} to {}; correct it.", cut(shown), least, most));
}

constexpr std::int64_t kMostSeconds = 1'000'000'000;

// A number of pods.
Result<std::int64_t> count_of(const Value& value, const At& where) {
  return integer_of(value, where, 0, std::numeric_limits<std::int64_t>::max());
}

Result<bool> boolean_of(const Value& value, const At& where) {
  if (value.is_bool()) return value.is_true();
  return bad(where, "This has to be true or false.");
}

// A list of texts; a single text is a list of one.
Result<std::vector<std::string>> texts_of(const Value& value, const At& where) {
  std::vector<std::string> out;
  if (auto single = scalar(value)) {
    out.push_back(*std::move(single));
    return out;
  }
  if (!value.is_array()) return bad(where, "This has to be a list of texts.");
  for (const Value& item : value.items()) {
    BERTH_TRY(std::string text, text_of(item, where));
    out.push_back(std::move(text));
  }
  return out;
}

// The same for a check, which could not fail if there were none.
Result<std::vector<std::string>> some_texts_of(const Value& value, const At& where) {
  BERTH_TRY(std::vector<std::string> texts, texts_of(value, where));
  if (texts.empty() || std::ranges::find(texts, std::string()) != texts.end())
    return bad(where, "This check is empty, so it could not fail; name something, or remove it.");
  return texts;
}

Result<std::string> some_text_of(const Value& value, const At& where) {
  BERTH_TRY(std::string text, text_of(value, where));
  if (text.empty()) return bad(where, "This check is empty, so it could not fail; name a label, or remove it.");
  return text;
}

std::unexpected<Error> unknown_key(const At& where, std::string_view key, std::span<const std::string> known) {
  const std::vector<std::string> near = near_names(key, known, 1);
  const std::string what = where.path.empty() ? "The header" : "This";
  return bad(where, near.empty()
                        ? fmt::format("{} has no key '{}'; known are {}.", what, cut(key), fmt::join(known, ", "))
                        : fmt::format("{} has no key '{}'; did you mean {}?", what, cut(key), near[0]));
}

// "key=value:Effect"; the value may be missing.
Result<api::Taint> taint_of(const Value& value, const At& where) {
  static constexpr std::array<std::pair<std::string_view, api::TaintEffect>, 3> kEffects = {{
      {"NoSchedule", api::TaintEffect::kNoSchedule},
      {"PreferNoSchedule", api::TaintEffect::kPreferNoSchedule},
      {"NoExecute", api::TaintEffect::kNoExecute},
  }};
  BERTH_TRY(const std::string text, text_of(value, where));
  const std::size_t colon = text.rfind(':');
  const std::string_view pair = std::string_view(text).substr(0, colon);
  const std::size_t equals = pair.find('=');
  const auto effect = std::ranges::find(
      kEffects, colon == std::string::npos ? std::string_view() : std::string_view(text).substr(colon + 1),
      &decltype(kEffects)::value_type::first);
  api::Taint taint;
  taint.key = pair.substr(0, equals);
  if (equals != std::string_view::npos) taint.value = pair.substr(equals + 1);
  if (effect == kEffects.end() || api::label_key_fault(taint.key) || api::label_value_fault(taint.value))
    return bad(where, fmt::format("'{}' is no taint; write key=value:Effect, where the effect is NoSchedule, "
                                  "PreferNoSchedule or NoExecute.",
                                  cut(text)));
  taint.effect = effect->second;
  return taint;
}

// "Type=Status".
Result<api::Condition> condition_of(const Value& value, const At& where) {
  BERTH_TRY(const std::string text, text_of(value, where));
  const std::size_t equals = text.rfind('=');
  api::Condition condition;
  if (equals != std::string::npos) {
    condition.type = text.substr(0, equals);
    condition.status = text.substr(equals + 1);
  }
  if (condition.type.empty() ||
      (condition.status != "True" && condition.status != "False" && condition.status != "Unknown"))
    return bad(where, fmt::format("'{}' is no condition; write Type=True, Type=False or Type=Unknown.", cut(text)));
  return condition;
}

Result<CaseStep> step_of(const Value& value, const At& where) {
  static const std::vector<std::string> kKeys = {"at", "do", "ref", "taint", "condition", "device"};
  static constexpr std::array<std::pair<std::string_view, CaseStep::Action>, 6> kActions = {{
      {"cordon", CaseStep::Action::kCordon},
      {"uncordon", CaseStep::Action::kUncordon},
      {"delete", CaseStep::Action::kDelete},
      {"restart-scheduler", CaseStep::Action::kRestartScheduler},
      {"taint", CaseStep::Action::kTaint},
      {"set-condition", CaseStep::Action::kSetCondition},
  }};
  CaseStep step;
  std::string action;
  bool has_taint = false;
  bool has_device = false;
  for (const Member& member : value.members()) {
    const At here = below(where, member);
    if (member.name() == "at") {
      BERTH_TRY(step.at, integer_of(member.value, here, 0, kMostSeconds));
    } else if (member.name() == "do") {
      BERTH_TRY(action, text_of(member.value, here));
    } else if (member.name() == "ref") {
      BERTH_TRY(step.ref, text_of(member.value, here));
    } else if (member.name() == "taint") {
      BERTH_TRY(step.taint, taint_of(member.value, here));
      has_taint = true;
    } else if (member.name() == "condition") {
      BERTH_TRY(step.condition, condition_of(member.value, here));
    } else if (member.name() == "device") {
      BERTH_TRY(step.device, text_of(member.value, here));
      has_device = true;
    } else {
      return unknown_key(where, member.name(), kKeys);
    }
  }
  const auto found = std::ranges::find(kActions, action, &decltype(kActions)::value_type::first);
  if (found == kActions.end())
    return bad(where, fmt::format("'{}' is no step; steps are cordon, uncordon, delete, restart-scheduler, taint and "
                                  "set-condition.",
                                  cut(action)));
  step.action = found->second;
  const bool restart = step.action == CaseStep::Action::kRestartScheduler;
  if (step.ref.empty() != restart)
    return bad(where, restart ? "A restart of the scheduler takes no ref; remove it."
                              : fmt::format("The step {} at {} needs a ref such as Node/n-1.", action, step.at));
  if (has_taint && step.action != CaseStep::Action::kTaint)
    return bad(where, fmt::format("The step {} takes no taint; remove it, or do: taint.", action));
  if (step.action == CaseStep::Action::kSetCondition) {
    if (step.condition.type.empty() || !step.ref.starts_with("ResourceClaim/"))
      return bad(where,
                 "The step set-condition needs a ref such as ResourceClaim/my-claim and a condition such as "
                 "example.com/attached=True.");
    return step;
  }
  if (has_device || !step.condition.type.empty())
    return bad(where,
               fmt::format("The step {} takes no device and no condition; remove them, or do: set-condition.", action));
  if (!restart && step.action != CaseStep::Action::kDelete && !step.ref.starts_with("Node/"))
    return bad(where, fmt::format("The step {} is for nodes; '{}' is none. Write a ref such as Node/n-1.", action,
                                  cut(step.ref)));
  return step;
}

Result<std::map<std::string, std::map<std::string, std::int64_t>>> per_of(const Value& value, const At& where) {
  std::map<std::string, std::map<std::string, std::int64_t>> out;
  if (!value.is_object()) return bad(where, "This has to be a map of labels.");
  if (value.size() == 0) return bad(where, "This check is empty, so it could not fail; name a label, or remove it.");
  for (const Member& label : value.members()) {
    const At here = below(where, label);
    if (!label.value.is_object()) return bad(here, "This has to map the label's values to counts.");
    if (label.value.size() == 0) return bad(here, "This check is empty, so it could not fail; write counts of pods.");
    for (const Member& entry : label.value.members()) {
      BERTH_TRY(const std::int64_t count, count_of(entry.value, below(here, entry)));
      out[std::string(label.name())][std::string(entry.name())] = count;
    }
  }
  return out;
}

// Classes of reasons.
Result<std::vector<std::string>> reasons_of(const Value& value, const At& where) {
  BERTH_TRY(std::vector<std::string> texts, some_texts_of(value, where));
  for (const std::string& text : texts) {
    const std::vector<std::string> known = report::reason_class_names();
    if (std::ranges::find(known, text) == known.end())
      return bad(where, fmt::format("'{}' is no class of reasons; write {}.", cut(text), fmt::join(known, ", ")));
  }
  return texts;
}

Result<Expectation> expectation_of(const Value& value, const At& where) {
  static const std::vector<std::string> kKeys = {"ref",     "running", "pending", "succeeded", "evicted", "admitted",
                                                 "charged", "on",      "same",    "different", "per",     "devices",
                                                 "start",   "reason",  "mention", "conditions"};
  Expectation out;
  for (const Member& member : value.members()) {
    const std::string_view key = member.name();
    const Value& content = member.value;
    const At here = below(where, member);
    if (key == "ref") {
      BERTH_TRY(out.ref, text_of(content, here));
    } else if (key == "running") {
      BERTH_TRY(out.running, count_of(content, here));
    } else if (key == "pending") {
      BERTH_TRY(out.pending, count_of(content, here));
    } else if (key == "succeeded") {
      BERTH_TRY(out.succeeded, count_of(content, here));
    } else if (key == "evicted") {
      BERTH_TRY(out.evicted, count_of(content, here));
    } else if (key == "start") {
      BERTH_TRY(out.start, integer_of(content, here, 0, kMostSeconds));
    } else if (key == "admitted") {
      BERTH_TRY(out.admitted, boolean_of(content, here));
    } else if (key == "charged") {
      BERTH_TRY(out.charged, boolean_of(content, here));
    } else if (key == "on" || key == "true") {
      // YAML 1.1 reads the plain word `on` as the boolean, and a key of JSON is a text.
      BERTH_TRY(out.on, some_texts_of(content, here));
    } else if (key == "same") {
      BERTH_TRY(out.same, some_text_of(content, here));
    } else if (key == "different") {
      BERTH_TRY(out.different, some_text_of(content, here));
    } else if (key == "per") {
      BERTH_TRY(out.per, per_of(content, here));
    } else if (key == "devices") {
      BERTH_TRY(out.devices, some_texts_of(content, here));
    } else if (key == "reason") {
      BERTH_TRY(out.reason, reasons_of(content, here));
    } else if (key == "conditions") {
      BERTH_TRY(out.conditions, some_texts_of(content, here));
    } else if (key == "mention") {
      BERTH_TRY(out.mention, some_texts_of(content, here));
    } else {
      return unknown_key(where, key, kKeys);
    }
  }
  if (out.ref.find('/') == std::string::npos)
    return bad(where, fmt::format("The ref '{}' has to be Kind/name.", cut(out.ref)));
  if (value.members().size() < 2) return bad(where, "This expects nothing of its ref; add a check such as running: 1.");
  return out;
}

// What one entry of `for` fills in: key -> text.
using Filling = std::map<std::string, std::string, std::less<>>;

struct Repeat {
  At where;
  std::string ref;
  std::vector<Filling> fillings;
  bool used = false;
};

Result<Repeat> repeat_of(const Value& value, const At& where) {
  static const std::vector<std::string> kKeys = {"ref", "for"};
  Repeat out;
  out.where = where;
  for (const Member& member : value.members()) {
    const At here = below(where, member);
    if (member.name() == "ref") {
      BERTH_TRY(out.ref, text_of(member.value, here));
    } else if (member.name() == "for") {
      if (!member.value.is_array()) return bad(here, "This has to be a list.");
      for (const Value& item : member.value.items()) {
        Filling filling;
        if (auto single = scalar(item)) filling.emplace("i", *std::move(single));
        for (const Member& entry : item.members()) {
          BERTH_TRY(std::string text, text_of(entry.value, below(here, entry)));
          filling.emplace(entry.name(), std::move(text));
        }
        if (filling.empty()) return bad(at(item, here.path), "An entry has to be a text, or a map of texts.");
        out.fillings.push_back(std::move(filling));
      }
    } else {
      return unknown_key(where, member.name(), kKeys);
    }
  }
  return out;
}

Result<void> read_config(const Value& value, const At& where, CaseFile& out) {
  if (!value.is_object()) return bad(where, "This has to be a map: {profile: NAME} or a whole configuration.");
  if (const Value* profile = value.find("profile"); profile != nullptr && value.size() == 1) {
    BERTH_TRY(out.profile, text_of(*profile, where));
    return {};
  }
  out.configuration = text::to_json(value);
  return {};
}

template <class T, class Read>
Result<void> read_list(const Value& value, const At& where, Read read, std::vector<T>& out) {
  if (value.is_null()) return {};
  if (!value.is_array()) return bad(where, "This has to be a list.");
  static constexpr std::size_t kMost = 2000;
  if (value.size() > kMost)
    return bad(where, fmt::format("This list has more than {} entries; make it shorter.", kMost));
  for (const Value& item : value.items()) {
    const At here = at(item, fmt::format("{}[{}]", where.path, out.size()));
    if (!item.is_object()) return bad(here, "This has to be a map.");
    BERTH_TRY(T entry, read(item, here));
    out.push_back(std::move(entry));
  }
  return {};
}

Result<void> read_header(const Value& header, CaseFile& out, std::vector<Repeat>& repeats) {
  static const std::vector<std::string> kKeys = {"case",   "title", "category", "inspired-by", "speaks",
                                                 "mode",   "rules", "repeat",   "steps",       "until",
                                                 "expect", "never", "config",   "features",    "why"};
  for (const Member& member : header.members()) {
    const std::string_view key = member.name();
    const Value& value = member.value;
    const At here = at(value, std::string(key));
    if (key == "case") {
      BERTH_TRY(out.name, text_of(value, here));
    } else if (key == "title") {
      BERTH_TRY(out.title, text_of(value, here));
    } else if (key == "speaks") {
      BERTH_TRY(out.speaks, texts_of(value, here));
    } else if (key == "mode") {
      BERTH_TRY(const std::string mode, text_of(value, here));
      if (mode != "live" && mode != "batch")
        return bad(here, fmt::format("The mode '{}' is neither batch nor live.", cut(mode)));
      out.live = mode == "live";
    } else if (key == "until") {
      BERTH_TRY(out.until, integer_of(value, here, 0, kMostSeconds));
    } else if (key == "repeat") {
      BERTH_TRY_VOID(read_list(value, here, repeat_of, repeats));
    } else if (key == "steps") {
      BERTH_TRY_VOID(read_list(value, here, step_of, out.steps));
    } else if (key == "expect") {
      BERTH_TRY_VOID(read_list(value, here, expectation_of, out.expect));
    } else if (key == "never") {
      BERTH_TRY(out.never, texts_of(value, here));
    } else if (key == "config") {
      BERTH_TRY_VOID(read_config(value, here, out));
    } else if (key == "features") {
      BERTH_TRY(const std::string features, text_of(value, here));
      if (auto applied = out.gates.apply(features); !applied) return bad(here, applied.error().message);
    } else if (std::ranges::find(kKeys, key) == kKeys.end()) {
      return unknown_key(At{"", here.line}, key, kKeys);
    }
  }
  if (out.speaks.empty()) return bad("speaks", "The header lacks 'speaks', such as [core].");
  if (out.expect.empty()) return bad("expect", "The header expects nothing, so the case could not fail.");
  for (std::size_t i = 0; i < out.steps.size(); ++i)
    if (out.steps[i].at > out.until)
      return bad(fmt::format("steps[{}].at", i),
                 fmt::format("The step at second {} never happens, for the case ends at second {}; correct it, or "
                             "'until'.",
                             out.steps[i].at, out.until));
  return {};
}

// The comment block without "# ", and the rest from the first line that is neither comment nor blank.
std::pair<std::string, std::string_view> split_header(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  std::string header;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.starts_with('#') && line.find_first_not_of(" \t") != std::string_view::npos) break;
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with("# "))
      header += line.substr(2);
    else if (line.starts_with('#'))
      header += line.substr(1);
    header += '\n';
  }
  return {std::move(header), text};
}

// {key} for each key of the filling, in one pass. What is filled in is not looked at again.
std::string filled(std::string_view text, const Filling& filling) {
  std::size_t longest = 0;
  for (const auto& [key, value] : filling) longest = std::max(longest, key.size());
  std::string out;
  while (!text.empty()) {
    const std::size_t open = std::min(text.find('{'), text.size());
    out += text.substr(0, open);
    text.remove_prefix(open);
    if (text.empty()) break;
    const std::size_t close = text.substr(0, longest + 2).find('}', 1);
    const auto found = close == std::string_view::npos ? filling.end() : filling.find(text.substr(1, close - 1));
    out += found == filling.end() ? std::string_view("{") : std::string_view(found->second);
    text.remove_prefix(found == filling.end() ? 1 : close + 1);
  }
  return out;
}

// "Kind/name" of a document's text.
Result<std::string> reference_of(std::string_view text, std::int32_t number) {
  const auto at_document = [number](Error error) {
    error.place.document = number;
    return std::unexpected(std::move(error));
  };
  const auto document = text::parse_yaml(text);
  if (!document) return at_document(document.error());
  const Value* kind = document->root().find("kind");
  const Value* metadata = document->root().find("metadata");
  const Value* name = metadata == nullptr ? nullptr : metadata->find("name");
  if (kind == nullptr || name == nullptr)
    return at_document(Error{ErrorCode::kInvalid, "A document of a case needs kind and metadata.name.", {}});
  return fmt::format("{}/{}", scalar(*kind).value_or(""), scalar(*name).value_or(""));
}

bool is_blank(std::string_view text) {
  // Only the marker, white space or comments.
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first != std::string_view::npos && line[first] != '#' && !line.starts_with("---")) return false;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return true;
}

// Fills the documents in; `refs` gets "Kind/name" of each.
Result<void> expand(std::string_view body, std::vector<Repeat>& repeats, CaseFile& out,
                    std::vector<std::string>& refs) {
  std::map<std::string, Repeat*, std::less<>> by_ref;
  for (Repeat& repeat : repeats)
    if (!by_ref.emplace(repeat.ref, &repeat).second)
      return bad(repeat.where, fmt::format("{} is repeated twice; make it one.", cut(repeat.ref)));
  std::size_t bytes = 0;
  const auto add = [&](std::string text, std::string ref, std::int32_t number) {
    bytes += text.size();
    out.documents.push_back({std::move(text), number});
    refs.push_back(std::move(ref));
    return out.documents.size() <= kMostCaseDocuments && bytes <= kMostCaseBytes;
  };
  text::YamlDocuments documents(body);
  std::int32_t number = 0;
  while (const auto chunk = documents.next()) {
    if (is_blank(chunk->text)) continue;
    ++number;
    BERTH_TRY(const std::string ref, reference_of(chunk->text, number));
    const auto repeat = by_ref.find(ref);
    bool fits = true;
    if (repeat == by_ref.end()) {
      fits = add(std::string(chunk->text), ref, number);
    } else {
      repeat->second->used = true;
      for (const Filling& filling : repeat->second->fillings)
        fits = fits && add(filled(chunk->text, filling), filled(ref, filling), number);
    }
    if (!fits)
      return bad(
          repeat == by_ref.end() ? At{} : repeat->second->where,
          fmt::format("The case has more than {} documents, or {} MiB of them, with those that are repeated; make "
                      "it smaller.",
                      kMostCaseDocuments, kMostCaseBytes >> 20U));
  }
  for (const Repeat& repeat : repeats)
    if (!repeat.used) return bad(repeat.where, fmt::format("repeat names {}, which is no document.", cut(repeat.ref)));
  return {};
}

// Whether a pattern may match the name of something that the maker makes: "web-7d9" or "web-0" for "web".
bool may_be_made_by(std::string_view pattern, std::string_view maker) {
  const std::string prefix = std::string(maker) + '-';
  const std::string_view literal = pattern.substr(0, pattern.find_first_of("*?[\\"));
  return literal.starts_with(prefix) || (literal.size() < pattern.size() && prefix.starts_with(literal));
}

// True if the ref names a document, or what a controller among them may make.
bool may_exist(std::string_view ref, const std::vector<std::string>& refs) {
  static constexpr std::array<std::string_view, 4> kMade = {"Pod", "ReplicaSet", "Job", "PersistentVolumeClaim"};
  static constexpr std::array<std::string_view, 7> kMakesNothing = {
      "Node", "Namespace", "Service", "PersistentVolume", "StorageClass", "PriorityClass", "PodDisruptionBudget"};
  const std::string_view kind = ref.substr(0, ref.find('/'));
  const std::string pattern(ref.substr(std::min(kind.size() + 1, ref.size())));
  const bool made = std::ranges::find(kMade, kind) != kMade.end();
  return std::ranges::any_of(refs, [&](const std::string& other) {
    const std::size_t slash = other.find('/');
    const std::string_view other_kind = std::string_view(other).substr(0, slash);
    if (other_kind == kind && fnmatch(pattern.c_str(), other.c_str() + slash + 1, 0) == 0) return true;
    if (!made || std::ranges::find(kMakesNothing, other_kind) != kMakesNothing.end()) return false;
    return kind == "PersistentVolumeClaim" || may_be_made_by(pattern, std::string_view(other).substr(slash + 1));
  });
}

Result<void> check_ref(std::string_view ref, const At& where, const std::vector<std::string>& refs) {
  if (may_exist(ref, refs)) return {};
  std::vector<std::string> short_refs;
  for (const std::string& other : refs)
    if (other.size() <= 100 && short_refs.size() < 1000) short_refs.push_back(other);
  const std::vector<std::string> near = near_names(cut(ref), short_refs, 1);
  return bad(where, fmt::format("Nothing in this file is or makes {}; {}", cut(ref),
                                near.empty() ? "name one of its objects." : "did you mean " + near[0] + "?"));
}

Result<CaseFile> parse(std::string_view text) {
  CaseFile out;
  const auto [header, body] = split_header(text);
  if (header.find_first_not_of(" \n") == std::string::npos)
    return bad("", "A case file starts with a comment block that holds its header; this one has none.");
  // Keys of the header name placeholders: {n} is no boolean.
  auto document = text::parse_yaml(header, {.keys_as_written = true});
  if (!document) {
    // Lines of the header are lines of the file: the block starts at the top.
    return std::unexpected(std::move(document).error());
  }
  if (!document->root().is_object()) return bad("", "The header, the comment block at the top, is no map.");
  std::vector<Repeat> repeats;
  BERTH_TRY_VOID(read_header(document->root(), out, repeats));
  std::vector<std::string> refs;
  BERTH_TRY_VOID(expand(body, repeats, out, refs));
  // Other families make objects that nothing in the file names, such as nodes.
  if (out.speaks != std::vector<std::string>{"core"}) return out;
  for (std::size_t i = 0; i < out.steps.size(); ++i)
    if (!out.steps[i].ref.empty())
      BERTH_TRY_VOID(check_ref(out.steps[i].ref, {fmt::format("steps[{}].ref", i), 0}, refs));
  for (std::size_t i = 0; i < out.expect.size(); ++i)
    BERTH_TRY_VOID(check_ref(out.expect[i].ref, {fmt::format("expect[{}].ref", i), 0}, refs));
  return out;
}

}  // namespace

Result<CaseFile> parse_case_file(std::string_view text, std::string_view file) {
  auto out = parse(text);
  if (!out) {
    Error error = std::move(out).error();
    error.place.file = std::string(file);
    return std::unexpected(std::move(error));
  }
  out->file = std::string(file);
  return out;
}

}  // namespace berth::sim
