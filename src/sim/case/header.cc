#include "sim/case/header.h"

#include <algorithm>

#include "sim/case/header_values.h"
#include "text/json_writer.h"

namespace berth::sim::case_header {

namespace {

Result<void> read_config(const Value& value, const At& where, CaseFile& out) {
  if (!value.is_object()) return bad(where, "This has to be a map: {profile: NAME} or a whole configuration.");
  if (const Value* profile = value.find("profile"); profile != nullptr && value.size() == 1) {
    BERTH_TRY(out.profile, text_of(*profile, where));
    return {};
  }
  out.configuration = text::to_json(value);
  return {};
}

}  // namespace

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

}  // namespace berth::sim::case_header
