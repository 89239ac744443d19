// The machinery of the decoders: a table per API struct that says for each field how it is read.
//
//   void read(DecodeContext& context, const Value& value, Taint& taint) {
//     static const FieldTable<Taint> kFields({{"key", member<&Taint::key>}, {"effect", member<&Taint::effect>}},
//                                            {"timeAdded"});
//     kFields.read(context, value, taint);
//   }
//
// Fields that exist in the API but decide nothing are listed by name and passed over; all others are remarked on. null
// is an absent field, as for the API server. Looking a field up costs one hash of its length and two characters.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "api/core.h"
#include "api/decode_context.h"
#include "api/enum_names.h"
#include "text/value.h"

namespace berth::api {

using text::Value;

// True if the object has the member and it is not null.
[[nodiscard]] inline bool is_given(const Value& object, std::string_view name) {
  const Value* found = object.find(name);
  return found != nullptr && !found->is_null();
}

// --- Leaves ---------------------------------------------------------------------------------------------------------

void read(DecodeContext& context, const Value& value, std::string& out);
void read(DecodeContext& context, const Value& value, bool& out);
void read(DecodeContext& context, const Value& value, std::int32_t& out);
void read(DecodeContext& context, const Value& value, std::int64_t& out);
// RFC 3339 in a string; seconds, fractions cut off.
void read_time(DecodeContext& context, const Value& value, std::optional<Time>& out);
void read(DecodeContext& context, const Value& value, Quantity& out);
void read(DecodeContext& context, const Value& value, StringMap& out);
// Negative and absurd amounts, and fractions of extended resources, are errors; amounts finer than a thousandth are
// rounded up.
void read(DecodeContext& context, const Value& value, ResourceList& out);

template <class Enum>
  requires std::is_enum_v<Enum>
void read(DecodeContext& context, const Value& value, Enum& out) {
  if (!value.is_string()) return context.wrong_kind(value, "a string");
  const auto known = enum_value<Enum>(value.text());
  if (known) {
    out = *known;
  } else {
    context.error(value, "\"" + std::string(value.text().substr(0, 100)) + "\" is not one of its values; write " +
                             enum_choices<Enum>() + ".");
  }
}

// --- Structs that occur in many places ------------------------------------------------------------------------------

void read(DecodeContext& context, const Value& value, ObjectMeta& out);
void read(DecodeContext& context, const Value& value, OwnerReference& out);
void read(DecodeContext& context, const Value& value, LabelSelector& out);
void read(DecodeContext& context, const Value& value, NodeSelector& out);
void read(DecodeContext& context, const Value& value, NodeSelectorTerm& out);
void read(DecodeContext& context, const Value& value, Condition& out);
void read(DecodeContext& context, const Value& value, Affinity& out);
void read(DecodeContext& context, const Value& value, Taint& out);
void read(DecodeContext& context, const Value& value, Toleration& out);
void read(DecodeContext& context, const Value& value, TopologySpreadConstraint& out);
void read(DecodeContext& context, const Value& value, ResourceRequirements& out);
void read(DecodeContext& context, const Value& value, PodResourceClaim& out);
void read(DecodeContext& context, const Value& value, PodResourceClaimStatus& out);
void read(DecodeContext& context, const Value& value, PodSpec& out);
void read(DecodeContext& context, const Value& value, PodTemplate& out);

// --- Composites -----------------------------------------------------------------------------------------------------

template <class T>
void read(DecodeContext& context, const Value& value, std::vector<T>& out) {
  if (!value.is_array()) return context.wrong_kind(value, "an array");
  out.reserve(value.size());
  for (std::size_t i = 0; i < value.size(); ++i) {
    const DecodeContext::Scope scope(context, i);
    read(context, value.items()[i], out.emplace_back());
  }
}

template <class T>
void read(DecodeContext& context, const Value& value, std::optional<T>& out) {
  read(context, value, out.emplace());
}

// --- Tables ---------------------------------------------------------------------------------------------------------

template <class T>
class FieldTable {
 public:
  using Reader = void (*)(DecodeContext&, const Value&, T&);
  struct Field {
    std::string_view name;
    Reader reader = nullptr;  // none: known and passed over
  };

  FieldTable(std::initializer_list<Field> read, std::initializer_list<std::string_view> ignored)
      : FieldTable(std::vector<Field>(read), ignored) {}
  FieldTable(std::vector<Field> read, std::initializer_list<std::string_view> ignored) : fields_(std::move(read)) {
    for (const std::string_view name : ignored) fields_.push_back({name, nullptr});
    while (slots_.size() < fields_.size() * 2) slots_.resize(slots_.size() * 2);
    for (const Field& field : fields_) {
      std::size_t slot = hash(field.name);
      while (slots_[slot] != nullptr) slot = (slot + 1) % slots_.size();
      slots_[slot] = &field;
    }
  }
  FieldTable(const FieldTable&) = delete;
  FieldTable& operator=(const FieldTable&) = delete;

  void read(DecodeContext& context, const Value& value, T& out) const {
    if (!value.is_object()) return context.wrong_kind(value, "an object");
    for (const text::Member& member : value.members()) {
      const Field* field = find(member.name());
      if (field != nullptr && (field->reader == nullptr || member.value.is_null())) continue;
      const DecodeContext::Scope scope(context, member.name());
      if (field != nullptr) {
        field->reader(context, member.value, out);
      } else {
        context.unknown_field(member.key, names());
      }
    }
  }

 private:
  [[nodiscard]] std::size_t hash(std::string_view name) const {
    if (name.empty()) return 0;
    const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(name[i])); };
    return (name.size() * 7 + byte(0) * 31 + byte(name.size() - 1) * 3 + byte(name.size() / 2)) & (slots_.size() - 1);
  }
  [[nodiscard]] const Field* find(std::string_view name) const {
    for (std::size_t slot = hash(name); slots_[slot] != nullptr; slot = (slot + 1) & (slots_.size() - 1))
      if (slots_[slot]->name == name) return slots_[slot];
    return nullptr;
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const Field& field : fields_) names.emplace_back(field.name);
    return names;
  }

  std::vector<Field> fields_;
  std::vector<const Field*> slots_ = std::vector<const Field*>(8);
};

template <class Pointer>
struct MemberOf;
template <class Class, class Type>
struct MemberOf<Type Class::*> {
  using Object = Class;
};

// A reader that reads the value into a member.
template <auto kMember>
void member(DecodeContext& context, const Value& value, typename MemberOf<decltype(kMember)>::Object& out) {
  read(context, value, out.*kMember);
}

template <auto kMember>
void time_member(DecodeContext& context, const Value& value, typename MemberOf<decltype(kMember)>::Object& out) {
  read_time(context, value, out.*kMember);
}

// A reader for a field that the API server drops where the gate is off.
template <Gate kGate, auto kReader, class T>
void gated(DecodeContext& context, const Value& value, T& out) {
  if (context.allows(kGate, value)) kReader(context, value, out);
}

// A reader for an object of one level more in the text than in the struct: its table works on the same struct.
template <class T, const FieldTable<T>& (*kTable)()>
void inner(DecodeContext& context, const Value& value, T& out) {
  kTable().read(context, value, out);
}

}  // namespace berth::api
