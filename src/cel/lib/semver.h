// Semantic versions (semver.org 2.0.0). Build metadata does not count in comparisons.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cel/value.h"

namespace berth::cel {

// The texts are views of what was parsed.
struct Version {
  std::uint64_t major = 0;
  std::uint64_t minor = 0;
  std::uint64_t patch = 0;
  std::string_view prerelease;  // without the dash
  std::string_view build;       // without the plus
};

// Strict: three numbers without leading zeros, optional prerelease and build.
[[nodiscard]] std::optional<Version> parse_version(std::string_view text);
// The text with a leading v taken off, leading zeros removed, and missing minor and patch numbers filled in; nothing
// for a short version with a prerelease or build.
[[nodiscard]] std::optional<std::string> normalize_version(std::string_view text);
[[nodiscard]] int compare_versions(const Version& a, const Version& b);

class Semver final : public Object {
 public:
  explicit Semver(const Version& version) : version_(version) {}
  [[nodiscard]] const Version& version() const { return version_; }
  [[nodiscard]] TypeRef type() const override;
  [[nodiscard]] bool equals(const Object& other, Arena& arena) const override;
  [[nodiscard]] std::string text() const override;

 private:
  Version version_;
};

// Copies the texts.
[[nodiscard]] Value make_semver(const Version& version, Arena& arena);

}  // namespace berth::cel
