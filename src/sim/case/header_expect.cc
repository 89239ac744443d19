// What a header expects of its refs.
#include <algorithm>

#include "report/reasons.h"
#include "sim/case/header.h"
#include "sim/case/header_values.h"

namespace berth::sim::case_header {

namespace {

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

}  // namespace

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

}  // namespace berth::sim::case_header
