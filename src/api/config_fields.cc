#include "api/config_fields.h"

#include <algorithm>
#include <utility>

#include "base/near_names.h"

namespace berth::api {

std::string suggestion(std::string_view name, const std::vector<std::string>& known) {
  const std::vector<std::string> near = near_names(name, known);
  if (near.empty()) return {};
  std::string text = " Did you mean ";
  for (std::size_t i = 0; i < near.size(); ++i) {
    if (i > 0) text += i + 1 == near.size() ? " or " : ", ";
    text += near[i];
  }
  return text + "?";
}

std::string ConfigFields::path(std::string_view name) const {
  if (name.empty()) return path_;
  return path_.empty() ? std::string(name) : path_ + "." + std::string(name);
}

std::string ConfigFields::path(std::string_view name, std::size_t index) const {
  return path(name) + "[" + std::to_string(index) + "]";
}

std::unexpected<Error> ConfigFields::error(std::string_view name, std::string message, ErrorCode code) const {
  const text::Value* found = value_->find(name);
  const text::Origin origin = found == nullptr ? value_->origin() : found->origin();
  Place place;
  place.file = file_;
  place.line = static_cast<std::int32_t>(origin.line);
  place.column = static_cast<std::int32_t>(origin.column);
  place.object = document_;
  place.field = path(name);
  return fail(code, std::move(message), std::move(place));
}

Result<void> ConfigFields::check() const {
  if (value_->is_object()) return {};
  return error("", "This must be an object, not " + std::string(text::describe(value_->kind())) + ".");
}

const text::Value* ConfigFields::find(std::string_view name) {
  known_.emplace_back(name);
  const text::Value* found = value_->find(name);
  return found == nullptr || found->is_null() ? nullptr : found;
}

Result<const text::Value*> ConfigFields::of_kind(std::string_view name, text::Kind kind) {
  const text::Value* found = find(name);
  if (found == nullptr || found->kind() == kind) return found;
  return error(name, "This must be " + std::string(text::describe(kind)) + ", not " +
                         std::string(text::describe(found->kind())) + ".");
}

Result<std::optional<std::string_view>> ConfigFields::text(std::string_view name) {
  BERTH_TRY(const text::Value* found, of_kind(name, text::Kind::kString));
  return found == nullptr ? std::nullopt : std::optional(found->text());
}

Result<std::optional<bool>> ConfigFields::boolean(std::string_view name) {
  BERTH_TRY(const text::Value* found, of_kind(name, text::Kind::kBool));
  return found == nullptr ? std::nullopt : std::optional(found->is_true());
}

Result<std::optional<std::int64_t>> ConfigFields::integer(std::string_view name, std::int64_t low, std::int64_t high) {
  BERTH_TRY(const text::Value* found, of_kind(name, text::Kind::kNumber));
  if (found == nullptr) return std::nullopt;
  const auto number = found->as_int64();
  if (!number || *number < low || *number > high) {
    return error(name, "This must be a whole number from " + std::to_string(low) + " to " + std::to_string(high) +
                           ", not " + std::string(found->text()) + ".");
  }
  return number;
}

Result<const text::Value*> ConfigFields::object(std::string_view name) { return of_kind(name, text::Kind::kObject); }

Result<const text::Value*> ConfigFields::array(std::string_view name) { return of_kind(name, text::Kind::kArray); }

Result<std::vector<std::string_view>> ConfigFields::texts(std::string_view name) {
  BERTH_TRY(const text::Value* found, array(name));
  std::vector<std::string_view> result;
  if (found == nullptr) return result;
  for (const text::Value& item : found->items()) {
    if (!item.is_string()) {
      return error(name, "Each entry must be a string, not " + std::string(text::describe(item.kind())) + ".");
    }
    result.push_back(item.text());
  }
  return result;
}

Result<void> ConfigFields::finish() const {
  for (const text::Member& member : value_->members()) {
    if (std::ranges::find(known_, member.name()) != known_.end()) continue;
    return error(member.name(), "There is no field \"" + std::string(member.name()) + "\" here." +
                                    suggestion(member.name(), known_) + " Correct or remove it.");
  }
  return {};
}

}  // namespace berth::api
