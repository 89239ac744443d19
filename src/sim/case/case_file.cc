#include "sim/case/case_file.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/near_names.h"
#include "text/json_writer.h"
#include "text/value.h"
#include "text/yaml_documents.h"
#include "text/yaml_reader.h"

namespace berth::sim {
namespace {

using text::Member;
using text::Value;

std::unexpected<Error> bad(std::string_view where, std::string message) {
  Place place;
  place.field = std::string(where);
  return fail(ErrorCode::kInvalid, std::move(message), std::move(place));
}

// Text of a string, a number or a boolean, as written.
std::optional<std::string> scalar(const Value& value) {
  if (value.is_string() || value.is_number()) return std::string(value.text());
  if (value.is_bool()) return value.is_true() ? "true" : "false";
  return std::nullopt;
}

Result<std::string> text_of(const Value& value, std::string_view where) {
  if (auto found = scalar(value)) return *std::move(found);
  return bad(where, fmt::format("{} has to be a text, not {}.", where, text::describe(value.kind())));
}

Result<std::int64_t> integer_of(const Value& value, std::string_view where) {
  if (const auto number = value.as_int64()) return *number;
  return bad(where, fmt::format("{} has to be a whole number.", where));
}

Result<bool> boolean_of(const Value& value, std::string_view where) {
  if (value.is_bool()) return value.is_true();
  return bad(where, fmt::format("{} has to be true or false.", where));
}

// A list of texts; a single text is a list of one.
Result<std::vector<std::string>> texts_of(const Value& value, std::string_view where) {
  std::vector<std::string> out;
  if (auto single = scalar(value)) {
    out.push_back(*std::move(single));
    return out;
  }
  if (!value.is_array()) return bad(where, fmt::format("{} has to be a list of texts.", where));
  for (const Value& item : value.items()) {
    BERTH_TRY(std::string text, text_of(item, where));
    out.push_back(std::move(text));
  }
  return out;
}

std::unexpected<Error> unknown_key(std::string_view where, std::string_view key, std::span<const std::string> known) {
  const std::vector<std::string> near = near_names(key, known, 1);
  return bad(where, near.empty() ? fmt::format("{} has no key '{}'; known are {}.", where, key, fmt::join(known, ", "))
                                 : fmt::format("{} has no key '{}'; did you mean {}?", where, key, near[0]));
}

Result<CaseStep> step_of(const Value& value) {
  static const std::vector<std::string> kKeys = {"at", "do", "ref", "taint"};
  static constexpr std::array<std::pair<std::string_view, CaseStep::Action>, 5> kActions = {{
      {"cordon", CaseStep::Action::kCordon},
      {"uncordon", CaseStep::Action::kUncordon},
      {"delete", CaseStep::Action::kDelete},
      {"restart-scheduler", CaseStep::Action::kRestartScheduler},
      {"taint", CaseStep::Action::kTaint},
  }};
  CaseStep step;
  std::string action;
  for (const Member& member : value.members()) {
    if (member.name() == "at") {
      BERTH_TRY(step.at, integer_of(member.value, "steps.at"));
    } else if (member.name() == "do") {
      BERTH_TRY(action, text_of(member.value, "steps.do"));
    } else if (member.name() == "ref") {
      BERTH_TRY(step.ref, text_of(member.value, "steps.ref"));
    } else if (member.name() == "taint") {
      BERTH_TRY(step.taint, text_of(member.value, "steps.taint"));
    } else {
      return unknown_key("steps", member.name(), kKeys);
    }
  }
  const auto found = std::ranges::find(kActions, action, &decltype(kActions)::value_type::first);
  if (found == kActions.end())
    return bad("steps.do", fmt::format("'{}' is no step; steps are cordon, uncordon, delete, restart-scheduler and "
                                       "taint.",
                                       action));
  step.action = found->second;
  if (step.ref.empty() && step.action != CaseStep::Action::kRestartScheduler)
    return bad("steps.ref", fmt::format("the step {} at {} needs a ref such as Node/n-1.", action, step.at));
  return step;
}

Result<std::map<std::string, std::map<std::string, std::int64_t>>> per_of(const Value& value) {
  std::map<std::string, std::map<std::string, std::int64_t>> out;
  if (!value.is_object()) return bad("expect.per", "expect.per has to be a map of labels.");
  for (const Member& label : value.members()) {
    if (!label.value.is_object()) return bad("expect.per", "expect.per has to map each label to values and counts.");
    for (const Member& entry : label.value.members()) {
      BERTH_TRY(const std::int64_t count, integer_of(entry.value, "expect.per"));
      out[std::string(label.name())][std::string(entry.name())] = count;
    }
  }
  return out;
}

Result<Expectation> expectation_of(const Value& value) {
  static const std::vector<std::string> kKeys = {"ref",      "running", "pending", "succeeded", "evicted",
                                                 "admitted", "charged", "on",      "same",      "different",
                                                 "per",      "devices", "start",   "reason",    "mention"};
  Expectation out;
  for (const Member& member : value.members()) {
    const std::string_view key = member.name();
    const Value& content = member.value;
    const std::string where = "expect." + std::string(key);
    if (key == "ref") {
      BERTH_TRY(out.ref, text_of(content, where));
    } else if (key == "running") {
      BERTH_TRY(out.running, integer_of(content, where));
    } else if (key == "pending") {
      BERTH_TRY(out.pending, integer_of(content, where));
    } else if (key == "succeeded") {
      BERTH_TRY(out.succeeded, integer_of(content, where));
    } else if (key == "evicted") {
      BERTH_TRY(out.evicted, integer_of(content, where));
    } else if (key == "start") {
      BERTH_TRY(out.start, integer_of(content, where));
    } else if (key == "admitted") {
      BERTH_TRY(out.admitted, boolean_of(content, where));
    } else if (key == "charged") {
      BERTH_TRY(out.charged, boolean_of(content, where));
    } else if (key == "on" || key == "true") {
      // YAML 1.1 reads the plain word `on` as the boolean, and a key of JSON is a text.
      BERTH_TRY(out.on, texts_of(content, where));
    } else if (key == "same") {
      BERTH_TRY(out.same, text_of(content, where));
    } else if (key == "different") {
      BERTH_TRY(out.different, text_of(content, where));
    } else if (key == "per") {
      BERTH_TRY(out.per, per_of(content));
    } else if (key == "devices") {
      BERTH_TRY(out.devices, texts_of(content, where));
    } else if (key == "reason") {
      BERTH_TRY(out.reason, texts_of(content, where));
    } else if (key == "mention") {
      BERTH_TRY(out.mention, texts_of(content, where));
    } else {
      return unknown_key("expect", key, kKeys);
    }
  }
  if (out.ref.find('/') == std::string::npos)
    return bad("expect.ref", fmt::format("expect.ref '{}' has to be Kind/name.", out.ref));
  return out;
}

// What one entry of `for` fills in: {key} -> text.
using Filling = std::vector<std::pair<std::string, std::string>>;

struct Repeat {
  std::string ref;
  std::vector<Filling> fillings;
  bool used = false;
};

Result<Repeat> repeat_of(const Value& value) {
  static const std::vector<std::string> kKeys = {"ref", "for"};
  Repeat out;
  for (const Member& member : value.members()) {
    if (member.name() == "ref") {
      BERTH_TRY(out.ref, text_of(member.value, "repeat.ref"));
    } else if (member.name() == "for") {
      if (!member.value.is_array()) return bad("repeat.for", "repeat.for has to be a list.");
      for (const Value& item : member.value.items()) {
        Filling filling;
        if (auto single = scalar(item)) filling.emplace_back("{i}", *std::move(single));
        for (const Member& entry : item.members()) {
          BERTH_TRY(std::string text, text_of(entry.value, "repeat.for"));
          filling.emplace_back(fmt::format("{{{}}}", entry.name()), std::move(text));
        }
        out.fillings.push_back(std::move(filling));
      }
    } else {
      return unknown_key("repeat", member.name(), kKeys);
    }
  }
  return out;
}

Result<void> read_config(const Value& value, CaseFile& out) {
  if (!value.is_object()) return bad("config", "config has to be a map: {profile: NAME} or a whole configuration.");
  if (const Value* profile = value.find("profile"); profile != nullptr && value.size() == 1) {
    BERTH_TRY(out.profile, text_of(*profile, "config.profile"));
    return {};
  }
  out.configuration = text::to_json(value);
  return {};
}

template <class T, class Read>
Result<void> read_list(const Value& value, std::string_view where, Read read, std::vector<T>& out) {
  if (value.is_null()) return {};
  if (!value.is_array()) return bad(where, fmt::format("{} has to be a list.", where));
  for (const Value& item : value.items()) {
    if (!item.is_object()) return bad(where, fmt::format("{} has to be a list of maps.", where));
    BERTH_TRY(T entry, read(item));
    out.push_back(std::move(entry));
  }
  return {};
}

Result<void> read_header(const Value& header, CaseFile& out, std::vector<Repeat>& repeats) {
  static const std::vector<std::string> kKeys = {"case",   "title", "category", "inspired-by", "speaks",
                                                 "mode",   "rules", "repeat",   "steps",       "until",
                                                 "expect", "never", "config",   "why"};
  for (const Member& member : header.members()) {
    const std::string_view key = member.name();
    const Value& value = member.value;
    if (key == "case") {
      BERTH_TRY(out.name, text_of(value, "case"));
    } else if (key == "title") {
      BERTH_TRY(out.title, text_of(value, "title"));
    } else if (key == "speaks") {
      BERTH_TRY(out.speaks, texts_of(value, "speaks"));
    } else if (key == "mode") {
      BERTH_TRY(const std::string mode, text_of(value, "mode"));
      if (mode != "live" && mode != "batch")
        return bad("mode", fmt::format("mode '{}' is neither batch nor live.", mode));
      out.live = mode == "live";
    } else if (key == "until") {
      BERTH_TRY(out.until, integer_of(value, "until"));
      if (out.until < 0 || out.until > 1'000'000'000)
        return bad("until", "until has to be between 0 and 1000000000 seconds.");
    } else if (key == "repeat") {
      BERTH_TRY_VOID(read_list(value, "repeat", repeat_of, repeats));
    } else if (key == "steps") {
      BERTH_TRY_VOID(read_list(value, "steps", step_of, out.steps));
    } else if (key == "expect") {
      BERTH_TRY_VOID(read_list(value, "expect", expectation_of, out.expect));
    } else if (key == "never") {
      BERTH_TRY(out.never, texts_of(value, "never"));
    } else if (key == "config") {
      BERTH_TRY_VOID(read_config(value, out));
    } else if (std::ranges::find(kKeys, key) == kKeys.end()) {
      return unknown_key("the header", key, kKeys);
    }
  }
  if (out.speaks.empty()) return bad("speaks", "the header lacks 'speaks', such as [core].");
  if (out.expect.empty()) return bad("expect", "the header expects nothing, so the case could not fail.");
  return {};
}

// The comment block without "# ", and the rest from the first `---` on.
std::pair<std::string, std::string_view> split_header(std::string_view text) {
  std::string header;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.starts_with("---")) break;
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.starts_with("# "))
      header += line.substr(2);
    else if (line.starts_with('#'))
      header += line.substr(1);
    header += '\n';
  }
  return {std::move(header), text};
}

std::string filled(std::string text, const Filling& filling) {
  for (const auto& [mark, value] : filling)
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + value.size()))
      text.replace(at, mark.size(), value);
  return text;
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
    return at_document(Error{ErrorCode::kInvalid, "a document of a case needs kind and metadata.name.", {}});
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

Result<void> expand(std::string_view body, std::vector<Repeat>& repeats, CaseFile& out) {
  text::YamlDocuments documents(body);
  std::int32_t number = 0;
  while (const auto chunk = documents.next()) {
    if (is_blank(chunk->text)) continue;
    ++number;
    BERTH_TRY(const std::string ref, reference_of(chunk->text, number));
    const auto repeat = std::ranges::find(repeats, ref, &Repeat::ref);
    if (repeat == repeats.end()) {
      out.documents.push_back({std::string(chunk->text), number});
      continue;
    }
    repeat->used = true;
    for (const Filling& filling : repeat->fillings)
      out.documents.push_back({filled(std::string(chunk->text), filling), number});
  }
  for (const Repeat& repeat : repeats)
    if (!repeat.used) return bad("repeat.ref", fmt::format("repeat names {}, which is no document.", repeat.ref));
  return {};
}

Result<CaseFile> parse(std::string_view text) {
  CaseFile out;
  const auto [header, body] = split_header(text);
  if (header.find_first_not_of(" \n") == std::string::npos)
    return bad("", "a case file starts with a comment block that holds its header; this one has none.");
  auto document = text::parse_yaml(header);
  if (!document) {
    // Lines of the header are lines of the file: the block starts at the top.
    return std::unexpected(std::move(document).error());
  }
  if (!document->root().is_object()) return bad("", "the header, the comment block at the top, is no map.");
  std::vector<Repeat> repeats;
  BERTH_TRY_VOID(read_header(document->root(), out, repeats));
  BERTH_TRY_VOID(expand(body, repeats, out));
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
