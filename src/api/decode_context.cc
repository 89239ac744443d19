#include "api/decode_context.h"

#include <utility>

#include "base/near_names.h"

namespace berth::api {
namespace {

// As much of a user's name or key as a place shows; what is valid is hardly ever longer.
constexpr std::size_t kMostOfAName = 128;

}  // namespace

void Diagnostics::error(Error error) {
  ++error_count_;
  if (keeps_errors()) errors_.push_back(std::move(error));
}

std::vector<Error> Diagnostics::errors() const {
  std::vector<Error> told = errors_;
  const std::int64_t more = error_count_ - static_cast<std::int64_t>(errors_.size());
  if (more > 0)
    told.push_back({ErrorCode::kLimit,
                    "There are " + std::to_string(more) +
                        " more mistakes, which are not kept; correct those before "
                        "them, or leave out what is no list of Kubernetes objects.",
                    {}});
  return told;
}

void Diagnostics::remark(Error remark, const std::string& sameness) {
  if (const auto found = known_.find(sameness); found != known_.end()) {
    ++more_[found->second];
    return;
  }
  if (remarks_.size() >= kMostRemarks) {
    ++other_remarks_;
    return;
  }
  known_.emplace(sameness, remarks_.size());
  remarks_.push_back(std::move(remark));
  more_.push_back(0);
}

std::vector<Error> Diagnostics::remarks() const {
  std::vector<Error> told = remarks_;
  for (std::size_t i = 0; i < told.size(); ++i)
    if (more_[i] != 0) told[i].message += " (and " + std::to_string(more_[i]) + " more like it)";
  if (other_remarks_ > 0)
    told.push_back(
        {ErrorCode::kLimit, "There are " + std::to_string(other_remarks_) + " more remarks, which are not kept.", {}});
  return told;
}

void DecodeContext::set_object(std::string_view kind, std::string_view name_space, std::string_view name) {
  kind_ = kind.substr(0, kMostOfAName);
  namespace_ = name_space.substr(0, kMostOfAName);
  name_ = name.substr(0, kMostOfAName);
}

bool DecodeContext::allows(Gate gate, const text::Value& at) {
  if (gates().on(gate)) return true;
  remark(at, "This needs the feature gate " + std::string(name_of(gate)) +
                 ", which is off here, and was dropped, as the API server of Kubernetes " +
                 std::string(name_of(settings_->version)) + " does; set the gate or a newer version to use it.");
  return false;
}

std::string DecodeContext::path() const {
  std::string text;
  for (Segment segment : path_) {
    if (segment.name.size() > kMostOfAName) segment.name = segment.name.substr(0, kMostOfAName);
    if (segment.index != kNoIndex) {
      text += "[" + std::to_string(segment.index) + "]";
    } else if (segment.map_key) {
      text += "[" + std::string(segment.name) + "]";
    } else {
      if (!text.empty()) text += '.';
      text += segment.name;
    }
  }
  return text;
}

std::string DecodeContext::path_without_indices() const {
  std::string text;
  for (const Segment& segment : path_)
    if (segment.index == kNoIndex && !segment.map_key) text += "." + std::string(segment.name);
  return text;
}

Place DecodeContext::place(const text::Value* at) const {
  const text::Location location = at == nullptr ? entry_->start : entry_->locate(*at);
  std::string object(kind_);
  if (!name_.empty()) {
    object += object.empty() ? "" : " ";
    if (!namespace_.empty()) object += std::string(namespace_) + "/";
    object += name_;
  }
  return {std::string(file_), entry_->document, location.line, location.column, std::move(object), path()};
}

void DecodeContext::error(const text::Value& at, std::string message, ErrorCode code) {
  if (++errors_ > kMostErrors) return;
  diagnostics_->error({code, std::move(message), diagnostics_->keeps_errors() ? place(&at) : Place{}});
}

void DecodeContext::remark(const text::Value& at, std::string message) {
  const std::string sameness = std::string(kind_) + path_without_indices() + message;
  diagnostics_->remark({ErrorCode::kInvalid, std::move(message), place(&at)}, sameness);
}

void DecodeContext::wrong_kind(const text::Value& at, std::string_view expected) {
  std::string message = "This must be " + std::string(expected) + ", but is " + std::string(text::describe(at.kind()));
  message +=
      expected == "a string" && !at.is_array() && !at.is_object() ? "; put it in quotes." : "; correct the value.";
  error(at, std::move(message));
}

void DecodeContext::unknown_field(const text::Value& at, const std::vector<std::string>& known) {
  // Nobody reads so many, and each costs a look back to the start of its line.
  static constexpr std::size_t kMostTold = 10'000;
  if (diagnostics_->different_remarks() >= kMostTold) {
    return diagnostics_->remark(
        {ErrorCode::kInvalid, "A field is not known and was not read, like thousands before; look for a damaged file.",
         place(nullptr)},
        std::string(kind_) + " has more");
  }
  std::string message = "This field is not known and was not read";
  // Who has so many of them needs no hint for each.
  static constexpr std::size_t kMostHints = 200;
  const auto near =
      diagnostics_->different_remarks() < kMostHints ? near_names(at.text(), known) : std::vector<std::string>();
  message += near.empty() ? "; remove it or check its spelling." : "; did you mean " + near.front() + "?";
  diagnostics_->remark({ErrorCode::kInvalid, std::move(message), place(&at)},
                       std::string(kind_) + path_without_indices());
}

}  // namespace berth::api
