// Reading one object of a configuration strictly: each field by name and kind, and no field left over.
//
//   ConfigFields fields(value, "profiles[0]", context);
//   BERTH_TRY(const auto name, fields.text("schedulerName"));
//   BERTH_TRY_VOID(fields.finish());   // an unknown field is an error that lists near names
//
// null counts as absent, as the API server reads it. Errors carry file, line and the path of the field.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "text/value.h"

namespace berth::api {

class ConfigFields {
 public:
  // The value must be an object, which check() says. `document` is what errors call the whole.
  ConfigFields(const text::Value& value, std::string path, std::string_view file,
               std::string_view document = "KubeSchedulerConfiguration")
      : value_(&value), path_(std::move(path)), file_(file), document_(document) {}

  [[nodiscard]] Result<void> check() const;

  [[nodiscard]] Result<std::optional<std::string_view>> text(std::string_view name);
  [[nodiscard]] Result<std::optional<std::int64_t>> integer(std::string_view name, std::int64_t low, std::int64_t high);
  [[nodiscard]] Result<std::optional<bool>> boolean(std::string_view name);
  // Null if the field is absent.
  [[nodiscard]] Result<const text::Value*> object(std::string_view name);
  [[nodiscard]] Result<const text::Value*> array(std::string_view name);
  [[nodiscard]] Result<std::vector<std::string_view>> texts(std::string_view name);
  // Known, of any kind, and of no consequence here.
  void ignore(std::string_view name) { known_.emplace_back(name); }

  [[nodiscard]] Result<void> finish() const;

  [[nodiscard]] std::string path(std::string_view name) const;
  [[nodiscard]] std::string path(std::string_view name, std::size_t index) const;
  // An error at a field of this object, or at the object itself where `name` is empty.
  [[nodiscard]] std::unexpected<Error> error(std::string_view name, std::string message,
                                             ErrorCode code = ErrorCode::kInvalid) const;
  [[nodiscard]] std::string_view file() const { return file_; }

 private:
  const text::Value* find(std::string_view name);
  [[nodiscard]] Result<const text::Value*> of_kind(std::string_view name, text::Kind kind);

  const text::Value* value_;
  std::string path_;
  std::string_view file_;
  std::string_view document_;
  std::vector<std::string> known_;
};

// " Did you mean A or B?", or nothing.
[[nodiscard]] std::string suggestion(std::string_view name, const std::vector<std::string>& known);

}  // namespace berth::api
