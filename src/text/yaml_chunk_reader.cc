#include "text/yaml_chunk_reader.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "text/list_shape.h"

namespace berth::text {

void YamlChunkReader::report(const Error& error) {
  ++errors_;
  visitor_.error(error);
}

void YamlChunkReader::deliver(const Value& value, std::int32_t item, Origin origin) {
  if (soft_) {
    if (item != 0) soft_->message += " This is item " + std::to_string(item) + " of the list.";
    report(*std::exchange(soft_, std::nullopt));
    return;
  }
  Entry entry;
  entry.value = value;
  entry.document = document_;
  entry.item = item;
  entry.list_api_version = list_api_version_;
  entry.list_kind = list_kind_;
  entry.start = {static_cast<std::int32_t>(origin.line), static_cast<std::int32_t>(origin.column)};
  visitor_.entry(entry);
}

bool YamlChunkReader::broken() {
  if (!in_document_) ++document_;
  Error fault = events_.fault();
  fault.place.document = document_;
  report(fault);
  return false;
}

bool YamlChunkReader::node(ValueBuilder& builder, const SkipPaths::Node* skip, std::int32_t depth) {
  const std::int64_t before = nodes_;
  const std::string anchor(event().anchor);
  Value value;
  switch (event().type) {
    case YamlEvent::Type::kAlias:
      builder.push(alias());
      return true;
    case YamlEvent::Type::kScalar:
      value = scalar(builder);
      break;
    case YamlEvent::Type::kSequenceStart:
      if (!sequence(builder, skip, depth + 1, value)) return false;
      break;
    case YamlEvent::Type::kMappingStart:
      if (!mapping(builder, skip, depth + 1, value)) return false;
      break;
    default:
      break;  // libyaml delivers no other event where a node must be
  }
  if (!anchor.empty()) anchors_[anchor] = {value, nodes_ - before, soft_.has_value()};
  builder.push(value);
  return true;
}

// A sequence or mapping begins.
bool YamlChunkReader::enter(std::int32_t depth) {
  ++nodes_;
  if (depth <= options_.max_depth) return true;
  report({ErrorCode::kLimit,
          "The YAML is nested too deeply; no Kubernetes object needs that, so look for a damaged file.",
          place(origin())});
  return false;
}

bool YamlChunkReader::sequence(ValueBuilder& builder, const SkipPaths::Node* skip, std::int32_t depth, Value& out) {
  const Origin here = origin();
  if (!enter(depth)) return false;
  const std::size_t mark = builder.mark();
  for (;;) {
    if (!next()) return false;
    if (event().type == YamlEvent::Type::kSequenceEnd) break;
    if (!node(builder, skip, depth)) return false;
  }
  out = builder.take_array(mark, here);
  return true;
}

// The event is the start of the sequence of items.
bool YamlChunkReader::list() {
  ValueBuilder items(item_arena_);
  for (std::int32_t number = 1;; ++number) {
    if (!next()) return false;
    if (event().type == YamlEvent::Type::kSequenceEnd) return true;
    // Anchors may be used by later items, so with anchors nothing is given back before the end of the document.
    if (anchors_.empty()) item_arena_.reset();
    items.drop_to(0);
    const Origin here = origin();
    if (!node(items, skip_, 1)) return false;
    deliver(items.pending(0), number, here);
  }
}

// The members that are on the stack say whose items these would be. False if they are no list's.
bool YamlChunkReader::take_list_header() {
  list_api_version_.clear();
  list_kind_.clear();
  for (std::size_t i = 0; i + 1 < builder_.mark(); i += 2) {
    if (builder_.pending(i).text() == "apiVersion") list_api_version_ = builder_.pending(i + 1).text();
    if (builder_.pending(i).text() == "kind") list_kind_ = builder_.pending(i + 1).text();
  }
  if (may_be_list(list_kind_)) return true;
  list_api_version_.clear();
  list_kind_.clear();
  return false;
}

bool YamlChunkReader::root_mapping() {
  const Origin here = origin();
  std::vector<Merge> merges;
  bool listed = false;
  for (;;) {
    if (!next()) return false;
    if (event().type == YamlEvent::Type::kMappingEnd) break;
    if (listed || !options_.split_lists || event().type != YamlEvent::Type::kScalar || event().text != "items") {
      if (!member(builder_, listed ? nullptr : skip_, 1, merges) || !has_few_keys(builder_, 0, here)) return false;
      continue;
    }
    builder_.push(key(builder_));
    if (!next()) return false;
    if (event().type != YamlEvent::Type::kSequenceStart || !take_list_header()) {
      if (!node(builder_, nullptr, 1) || !has_few_keys(builder_, 0, here)) return false;
      continue;
    }
    if (soft_) report(*std::exchange(soft_, std::nullopt));
    if (!list()) return false;
    listed = true;
    builder_.push(Value::null(here));  // for the items: their key must not come again
  }
  const Value root = finish_mapping(builder_, 0, here, merges);
  if (listed && !soft_) {
    const Value* kind = root.find("kind");
    if (kind != nullptr && !may_be_list(kind->text())) soft(no_list_message(kind->text()), kind->origin());
  }
  if (!listed || soft_) deliver(root, 0, here);
  return true;
}

bool YamlChunkReader::document() {
  arena_.reset();
  item_arena_.reset();
  anchors_.clear();
  builder_.drop_to(0);
  nodes_ = alias_nodes_ = 0;
  soft_.reset();
  list_api_version_.clear();
  list_kind_.clear();
  if (!next()) return false;
  const bool nothing = event().type == YamlEvent::Type::kScalar && event().text.empty() && event().implicit;
  if (nothing) return true;
  ++document_;
  in_document_ = true;
  const Origin here = origin();
  if (event().type == YamlEvent::Type::kMappingStart) {
    if (!root_mapping()) return false;
  } else if (event().type == YamlEvent::Type::kSequenceStart && options_.split_lists) {
    if (!list()) return false;
  } else {
    if (!node(builder_, skip_, 0)) return false;
    deliver(builder_.pending(0), 0, here);
  }
  in_document_ = false;
  return true;
}

std::int32_t YamlChunkReader::read() {
  for (;;) {
    if (!next() || event().type == YamlEvent::Type::kStreamEnd) return errors_;
    if (event().type == YamlEvent::Type::kDocumentStart && !document()) return errors_;
  }
}

}  // namespace berth::text
