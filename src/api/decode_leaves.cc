#include <charconv>
#include <limits>

#include "api/decode_fields.h"
#include "api/selector.h"
#include "api/time.h"

namespace berth::api {
namespace {

// A name with a domain that is not Kubernetes' own: counted in whole units.
bool is_extended(std::string_view resource) {
  const std::size_t slash = resource.find('/');
  if (slash == std::string_view::npos) return false;
  const std::string_view domain = resource.substr(0, slash);
  return domain != "kubernetes.io" && !domain.ends_with(".kubernetes.io");
}

// The API server rounds what it stores up to thousandths.
Quantity in_thousandths(const Quantity& quantity) {
  constexpr Quantity::Wide kNanosPerMilli = 1'000'000;
  if (quantity.nanos() % kNanosPerMilli == 0) return quantity;
  return Quantity::from_milli(quantity.milli_value(), quantity.format());
}

// The largest amount that is taken: below 2^53 of the smallest part (a thousandth of a CPU, a unit of anything else),
// up to which everything is counted exactly. Cards are numbered, so there are no more than 32 bits can tell.
Quantity most_of(std::string_view resource) {
  if (resource == "cpu") return Quantity::from_units(1'000'000'000);
  if (resource.ends_with("/gpu") || resource.starts_with("nvidia.com/"))
    return Quantity::from_units(std::numeric_limits<std::int32_t>::max());
  if (is_extended(resource)) return Quantity::from_units(9'000'000'000'000'000);
  return Quantity::from_units(std::int64_t{1} << 53U, Quantity::Format::kBinarySi);
}

}  // namespace

void read(DecodeContext& context, const Value& value, std::string& out) {
  if (!value.is_string()) return context.wrong_kind(value, "a string");
  out = value.text();
}

void read(DecodeContext& context, const Value& value, bool& out) {
  if (!value.is_bool()) return context.wrong_kind(value, "true or false");
  out = value.is_true();
}

void read(DecodeContext& context, const Value& value, std::int64_t& out) {
  if (!value.is_number()) return context.wrong_kind(value, "an integer");
  const auto number = value.as_int64();
  if (!number) {
    const bool whole = value.text().find_first_of(".eE") == std::string_view::npos;
    return context.error(value, "\"" + std::string(value.text().substr(0, 64)) +
                                    "\" is not an integer of 64 bits; write " +
                                    (whole ? "a smaller one." : "it without point or exponent."));
  }
  out = *number;
}

void read(DecodeContext& context, const Value& value, std::int32_t& out) {
  std::int64_t wide = 0;
  const std::int32_t before = context.errors();
  read(context, value, wide);
  if (context.errors() != before) return;
  if (wide < std::numeric_limits<std::int32_t>::min() || wide > std::numeric_limits<std::int32_t>::max())
    return context.error(value, std::to_string(wide) + " does not fit 32 bits; write a smaller number.");
  out = static_cast<std::int32_t>(wide);
}

void read_time(DecodeContext& context, const Value& value, std::optional<Time>& out) {
  if (!value.is_string()) return context.wrong_kind(value, "a string");
  out = parse_time(value.text());
  if (!out)
    context.error(value, "\"" + std::string(value.text().substr(0, 64)) +
                             "\" is not a time; write it like 2026-01-31T12:00:00Z.");
}

void read(DecodeContext& context, const Value& value, Quantity& out) {
  if (!value.is_string() && !value.is_number()) return context.wrong_kind(value, "a quantity");
  auto quantity = Quantity::parse(value.text());
  if (!quantity) return context.error(value, quantity.error().message, quantity.error().code);
  out = *quantity;
}

void read(DecodeContext& context, const Value& value, StringMap& out) {
  if (!value.is_object()) return context.wrong_kind(value, "an object");
  for (const text::Member& member : value.members()) {
    std::string& text = out.emplace_hint(out.end(), member.name(), std::string())->second;
    if (member.value.is_null()) continue;
    if (member.value.is_string()) {
      text = member.value.text();
      continue;
    }
    const DecodeContext::Scope scope(context, member.name(), DecodeContext::Scope::kMapKey);
    context.wrong_kind(member.value, "a string");
  }
}

void read(DecodeContext& context, const Value& value, ResourceList& out) {
  if (!value.is_object()) return context.wrong_kind(value, "an object");
  for (const text::Member& member : value.members()) {
    if (member.value.is_null()) continue;
    const DecodeContext::Scope scope(context, member.name(), DecodeContext::Scope::kMapKey);
    if (label_key_fault(member.name())) {
      context.error(member.key, "This is no resource name; write one such as cpu, memory or nvidia.com/gpu.");
      continue;
    }
    Quantity quantity;
    read(context, member.value, quantity);
    if (quantity.is_negative()) {
      context.error(member.value, "The amount " + quantity.to_string() + " is negative; write 0 or more.");
      continue;
    }
    if (const Quantity most = most_of(member.name()); quantity > most) {
      context.error(member.value, "The amount " + std::string(member.value.text().substr(0, 64)) + " of " +
                                      std::string(member.name()) + " is more than any cluster has; write " +
                                      most.to_string() + " or less.");
      continue;
    }
    if (is_extended(member.name()) && quantity != Quantity::from_units(quantity.value())) {
      context.error(member.value, "The amount " + quantity.to_string() +
                                      " is not whole; extended resources are counted in whole units.");
      continue;
    }
    out.emplace_hint(out.end(), member.name(), in_thousandths(quantity));
  }
}

}  // namespace berth::api
