#include "sim/case/case_file.h"

#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/near_names.h"
#include "sim/case/header.h"
#include "sim/case/header_values.h"
#include "sim/case/repeat.h"
#include "text/yaml_reader.h"

namespace berth::sim {
namespace {

using case_header::At;
using case_header::bad;
using case_header::cut;

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
  const auto [header, body] = case_header::split_header(text);
  if (header.find_first_not_of(" \n") == std::string::npos)
    return bad("", "A case file starts with a comment block that holds its header; this one has none.");
  // Keys of the header name placeholders: {n} is no boolean.
  auto document = text::parse_yaml(header, {.keys_as_written = true});
  if (!document) {
    // Lines of the header are lines of the file: the block starts at the top.
    return std::unexpected(std::move(document).error());
  }
  if (!document->root().is_object()) return bad("", "The header, the comment block at the top, is no map.");
  std::vector<case_header::Repeat> repeats;
  BERTH_TRY_VOID(case_header::read_header(document->root(), out, repeats));
  std::vector<std::string> refs;
  BERTH_TRY_VOID(case_header::expand(body, repeats, out, refs));
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
