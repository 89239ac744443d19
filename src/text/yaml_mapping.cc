// Mappings: keys, members and merges.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_set.hpp>

#include "text/numbers.h"
#include "text/yaml_chunk_reader.h"
#include "text/yaml_scalar.h"

namespace berth::text {

// The string that a key becomes, as the YAML bridge of Kubernetes converts it.
Value YamlChunkReader::key(ValueBuilder& builder) {
  const Origin here = origin();
  if (event().type == YamlEvent::Type::kAlias) return key_from(alias(), builder, here);
  if (options_.keys_as_written) {
    ++nodes_;
    return Value::string(builder.arena().copy(event().text), here);
  }
  if (event().tag.empty()) {
    ++nodes_;
    if (!event().implicit) return Value::string(builder.arena().copy(event().text), here);
    const YamlScalar resolved = resolve_yaml_scalar(event().text);
    if (resolved.type == YamlType::kString) return Value::string(builder.arena().copy(event().text), here);
    if (resolved.type == YamlType::kFloat)
      return Value::string(builder.arena().copy(go_float32_key(resolved.real)), here);
  }
  return key_from(scalar(builder), builder, here);
}

Value YamlChunkReader::key_from(const Value& value, ValueBuilder& builder, Origin here) {
  switch (value.kind()) {
    case Kind::kString:
      return Value::string(value.text(), here);
    case Kind::kBool:
      return Value::string(value.is_true() ? "true" : "false", here);
    case Kind::kNumber:
      if (value.as_int64()) return Value::string(value.text(), here);
      if (const auto real = value.as_double(); real && !value.as_uint64())
        return Value::string(builder.arena().copy(go_float32_key(*real)), here);
      break;
    case Kind::kNull:
    case Kind::kArray:
    case Kind::kObject:
      break;
  }
  soft("A key cannot be " + std::string(value.as_uint64() ? "an integer of this size" : describe(value.kind())) +
           "; put the key in quotes.",
       here);
  return Value::string("", here);
}

bool YamlChunkReader::complex_key(ValueBuilder& builder, std::int32_t depth) {
  soft("A key cannot be a list or a mapping; write a plain key, and a space behind ':' in flow mappings.", origin());
  const std::size_t mark = builder.mark();
  if (!node(builder, nullptr, depth) || !next() || !node(builder, nullptr, depth)) return false;
  builder.drop_to(mark);
  return true;
}

bool YamlChunkReader::member(ValueBuilder& builder, const SkipPaths::Node* skip, std::int32_t depth,
                             std::vector<Merge>& merges) {
  if (event().type != YamlEvent::Type::kScalar && event().type != YamlEvent::Type::kAlias)
    return complex_key(builder, depth);
  const std::size_t mark = builder.mark();
  const bool merge = is_merge_key();
  const std::string anchor(event().anchor);
  const Value name = key(builder);
  if (!anchor.empty()) anchors_[anchor] = {name, 1, soft_.has_value()};
  const SkipPaths::Node* child = skip == nullptr || merge ? skip : skip->find(name.text());
  builder.push(name);
  if (!next()) return false;
  const Origin value_origin = origin();
  if (!node(builder, merge ? skip : child, depth)) return false;
  if (merge) {
    merges.push_back({builder.pending(mark + 1), value_origin});
    builder.drop_to(mark);
  } else if (child != nullptr && child->dropped) {
    builder.drop_to(mark);
  }
  return true;
}

// The keys of a mapping while others are merged into it. Few are looked through; of many a table is made.
class YamlChunkReader::MergedKeys {
 public:
  MergedKeys(ValueBuilder& builder, std::size_t mark) : builder_(builder), mark_(mark), tabled_(mark) {}

  [[nodiscard]] bool contains(std::string_view name) {
    if (builder_.mark() - mark_ <= kFew) {
      for (std::size_t i = mark_; i < builder_.mark(); i += 2)
        if (builder_.pending(i).text() == name) return true;
      return false;
    }
    for (; tabled_ < builder_.mark(); tabled_ += 2) table_.insert(builder_.pending(tabled_).text());
    return table_.contains(name);
  }

 private:
  static constexpr std::size_t kFew = 64;  // keys and values
  ValueBuilder& builder_;
  std::size_t mark_;
  std::size_t tabled_;  // keys before this are in the table
  boost::unordered_flat_set<std::string_view> table_;
};

void YamlChunkReader::merge_into(ValueBuilder& builder, MergedKeys& keys, const Value& source, Origin here) {
  if (!source.is_object()) {
    soft("A merge key << takes a mapping or a list of mappings, not " + std::string(describe(source.kind())) +
             "; correct what stands behind it.",
         here);
    return;
  }
  for (const Member& merged : source.members()) {
    if (keys.contains(merged.name())) continue;
    builder.push(merged.key);
    builder.push(merged.value);
  }
}

Value YamlChunkReader::finish_mapping(ValueBuilder& builder, std::size_t mark, Origin here,
                                      const std::vector<Merge>& merges) {
  if (const Value* duplicate = builder.duplicate_key(mark)) {
    const bool outermost = place(duplicate->origin()).column == 1;
    soft("The key \"" + std::string(duplicate->text()) + "\" comes twice in one mapping; remove one of the two" +
             (outermost ? ", or put a line --- between two files that were joined here." : "."),
         duplicate->origin());
  }
  MergedKeys keys(builder, mark);
  for (const Merge& merge : merges) {
    if (merge.value.is_array()) {
      for (const Value& source : merge.value.items()) merge_into(builder, keys, source, merge.origin);
    } else {
      merge_into(builder, keys, merge.value, merge.origin);
    }
  }
  return builder.take_object(mark, here);
}

// A few bytes of gzip unpack to millions of keys.
bool YamlChunkReader::has_few_keys(const ValueBuilder& builder, std::size_t mark, Origin here) {
  constexpr std::size_t kMost = std::size_t{1} << 20U;
  if (builder.mark() - mark <= 2 * kMost) return true;
  report({ErrorCode::kLimit,
          "This mapping has more than " + std::to_string(kMost) +
              " keys; no Kubernetes object has so many, so look for a damaged file.",
          place(here)});
  return false;
}

bool YamlChunkReader::mapping(ValueBuilder& builder, const SkipPaths::Node* skip, std::int32_t depth, Value& out) {
  const Origin here = origin();
  if (!enter(depth)) return false;
  const std::size_t mark = builder.mark();
  std::vector<Merge> merges;
  for (;;) {
    if (!next()) return false;
    if (event().type == YamlEvent::Type::kMappingEnd) break;
    if (!member(builder, skip, depth, merges) || !has_few_keys(builder, mark, here)) return false;
  }
  out = finish_mapping(builder, mark, here, merges);
  return true;
}

}  // namespace berth::text
