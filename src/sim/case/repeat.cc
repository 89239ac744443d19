#include "sim/case/repeat.h"

#include <algorithm>
#include <utility>

#include "text/yaml_documents.h"
#include "text/yaml_reader.h"

namespace berth::sim::case_header {

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

namespace {

// {key} for each key of the filling, in one pass. What is filled in is not looked at again. Ends early once it is
// longer than `most`: a short text with a long filling can be more than memory holds.
std::string filled(std::string_view text, const Filling& filling, std::size_t most) {
  std::size_t longest = 0;
  for (const auto& [key, value] : filling) longest = std::max(longest, key.size());
  std::string out;
  while (!text.empty() && out.size() <= most) {
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

}  // namespace

Result<void> expand(std::string_view body, std::vector<Repeat>& repeats, CaseFile& out,
                    std::vector<std::string>& refs) {
  std::map<std::string, Repeat*, std::less<>> by_ref;
  for (Repeat& repeat : repeats)
    if (!by_ref.emplace(repeat.ref, &repeat).second)
      return bad(repeat.where, fmt::format("{} is repeated twice; make it one.", cut(repeat.ref)));
  std::size_t bytes = 0;
  const auto left = [&] { return kMostCaseBytes - std::min(bytes, kMostCaseBytes); };
  const auto add = [&](std::string text, std::string ref, std::int32_t number) {
    bytes += text.size() + ref.size();
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
        fits = fits && add(filled(chunk->text, filling, left()), filled(ref, filling, left()), number);
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

}  // namespace berth::sim::case_header
