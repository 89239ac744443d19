// Nodes without nodes below them: scalars, whose text and tag say the type, and aliases.
#include <string>
#include <string_view>

#include "text/yaml_chunk_reader.h"
#include "text/yaml_scalar.h"

namespace berth::text {
namespace {

constexpr std::int64_t kAliasNodes = 1'000'000;
constexpr std::string_view kTagPrefix = "tag:yaml.org,2002:";

}  // namespace

Value YamlChunkReader::scalar(ValueBuilder& builder) {
  ++nodes_;
  const Origin here = origin();
  std::string_view tag = event().tag;
  const auto string = [&] { return Value::string(builder.arena().copy(event().text), here); };
  if (tag.empty() && !event().implicit) return string();
  YamlScalar resolved = resolve_yaml_scalar(event().text);
  if (!tag.empty()) {
    if (!tag.starts_with(kTagPrefix)) return string();
    tag.remove_prefix(kTagPrefix.size());
    const bool whole = resolved.type == YamlType::kInteger || resolved.type == YamlType::kUnsigned;
    if (tag == "binary") {
      soft("The tag !!binary is not supported; write the base64 text in quotes instead.", here);
      return Value::null(here);
    }
    if (tag == "str" || tag == "timestamp") return string();
    const bool fits = (tag == "int" && whole) || (tag == "float" && (whole || resolved.type == YamlType::kFloat)) ||
                      (tag == "bool" && (resolved.type == YamlType::kTrue || resolved.type == YamlType::kFalse)) ||
                      (tag == "null" && resolved.type == YamlType::kNull) || resolved.type == YamlType::kNotFinite;
    const bool known = tag == "int" || tag == "float" || tag == "bool" || tag == "null";
    if (!known) return string();
    if (!fits) {
      soft("The value \"" + std::string(event().text) + "\" is not what its tag !!" + std::string(tag) +
               " says; remove the tag or correct the value.",
           here);
      return Value::null(here);
    }
  }
  switch (resolved.type) {
    case YamlType::kString:
      return string();
    case YamlType::kNull:
      return Value::null(here);
    case YamlType::kTrue:
    case YamlType::kFalse:
      return Value::boolean(resolved.type == YamlType::kTrue, here);
    case YamlType::kInteger:
    case YamlType::kUnsigned:
    case YamlType::kFloat:
      return Value::number(builder.arena().copy(resolved.number), here);
    case YamlType::kNotFinite:
      soft("The value " + std::string(event().text) +
               " is not a number that JSON has; put it in quotes or write a finite number.",
           here);
      return Value::null(here);
  }
  return Value::null(here);
}

Value YamlChunkReader::alias() {
  const Origin here = origin();
  const auto found = anchors_.find(std::string(event().alias));
  if (found == anchors_.end()) {
    soft("The alias *" + std::string(event().alias) + " names an anchor that does not come before it; add &" +
             std::string(event().alias) + " to the value it stands for.",
         here);
    return Value::null(here);
  }
  if (found->second.faulty) {
    soft("The alias *" + std::string(event().alias) + " stands for a value that is faulty itself; correct that one.",
         here);
    return Value::null(here);
  }
  nodes_ += found->second.nodes;
  alias_nodes_ += found->second.nodes;
  if (alias_nodes_ > kAliasNodes) {
    soft(
        "The aliases of this document stand for more than a million values; write the values out or split the "
        "document.",
        here, ErrorCode::kLimit);
    return Value::null(here);
  }
  return found->second.value;
}

}  // namespace berth::text
