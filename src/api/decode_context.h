// DecodeContext: where a decoder is in an object and what it found wrong there.
//
// An error costs the object: the rest of it is still read, so that all its errors are told at once, but it is left out.
// A remark does not: the object was read, something in it was not. Equal remarks (same kind of object, same field) are
// told once with their number. Place and path are put together only when something is wrong.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "api/feature_gates.h"
#include "api/share_tables.h"
#include "base/result.h"
#include "text/entry.h"
#include "text/value.h"

namespace berth::api {

// Errors and remarks of everything that is read, in the order of the input.
class Diagnostics {
 public:
  // After kMostErrors they are only counted: input of nothing but mistakes must not fill the memory.
  void error(Error error);
  // Remarks with the same `sameness` are one with a count. Of more than kMostRemarks different ones the rest is
  // counted.
  void remark(Error remark, const std::string& sameness);

  // With one that says how many more there were, behind the last.
  [[nodiscard]] std::vector<Error> errors() const;
  [[nodiscard]] std::int64_t error_count() const { return error_count_; }
  [[nodiscard]] bool keeps_errors() const { return errors_.size() < kMostErrors; }
  [[nodiscard]] std::size_t different_remarks() const { return remarks_.size(); }
  // With "(and N more like it)" where there were more.
  [[nodiscard]] std::vector<Error> remarks() const;

 private:
  static constexpr std::size_t kMostErrors = 10'000;
  static constexpr std::size_t kMostRemarks = 20'000;

  std::vector<Error> errors_;
  std::vector<Error> remarks_;
  std::vector<std::int32_t> more_;  // per remark
  boost::unordered_flat_map<std::string, std::size_t> known_;
  std::int64_t error_count_ = 0;
  std::int64_t other_remarks_ = 0;
};

// What decoders know beside the text.
struct DecodeSettings {
  KubernetesVersion version = kNewestKubernetes;
  FeatureGates gates;
  ShareTables shares;  // equal parts of devices become one
};

class DecodeContext {
 public:
  DecodeContext(const text::Entry& entry, std::string_view file, Diagnostics& diagnostics, DecodeSettings& settings)
      : entry_(&entry), file_(file), diagnostics_(&diagnostics), settings_(&settings) {}

  // A member, an element of an array or an entry of a map, for as long as it is read.
  class Scope {
   public:
    Scope(DecodeContext& context, std::string_view member) : context_(context) {
      context_.path_.push_back({member, kNoIndex, false});
    }
    Scope(DecodeContext& context, std::size_t index) : context_(context) {
      context_.path_.push_back({{}, index, false});
    }
    static constexpr struct MapKey {
    } kMapKey{};
    Scope(DecodeContext& context, std::string_view key, MapKey) : context_(context) {
      context_.path_.push_back({key, kNoIndex, true});
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope() { context_.path_.pop_back(); }

   private:
    DecodeContext& context_;
  };

  void set_object(std::string_view kind, std::string_view namespace_, std::string_view name);
  void set_api_version(std::string_view api_version) { api_version_ = api_version; }
  [[nodiscard]] std::string_view api_version() const { return api_version_; }

  [[nodiscard]] KubernetesVersion version() const { return settings_->version; }
  [[nodiscard]] const FeatureGates& gates() const { return settings_->gates; }
  // True if the gate is on. Otherwise what is about to be read is remarked on as dropped.
  [[nodiscard]] bool allows(Gate gate, const text::Value& at);
  [[nodiscard]] ShareTables& shares() { return settings_->shares; }

  // The path in front of the object's own, for what is decoded in the middle of a tree.
  [[nodiscard]] std::string path() const;
  [[nodiscard]] Place place(const text::Value* at) const;

  // "restartPolicy must be ..."; messages are sentences. `at` gives the line.
  void error(const text::Value& at, std::string message, ErrorCode code = ErrorCode::kInvalid);
  void remark(const text::Value& at, std::string message);
  // The value is not of the kind that the field has.
  void wrong_kind(const text::Value& at, std::string_view expected);
  void unknown_field(const text::Value& at, const std::vector<std::string>& known);

  [[nodiscard]] std::int32_t errors() const { return errors_; }
  [[nodiscard]] Diagnostics& diagnostics() { return *diagnostics_; }
  [[nodiscard]] std::string_view file() const { return file_; }

 private:
  static constexpr std::size_t kNoIndex = static_cast<std::size_t>(-1);
  static constexpr std::int32_t kMostErrors = 5;  // told per object

  struct Segment {
    std::string_view name;
    std::size_t index = kNoIndex;
    bool map_key = false;
  };
  [[nodiscard]] std::string path_without_indices() const;

  const text::Entry* entry_;
  std::string_view file_;
  Diagnostics* diagnostics_;
  DecodeSettings* settings_;
  std::string_view api_version_;
  std::vector<Segment> path_;
  std::string_view kind_;
  std::string_view namespace_;
  std::string_view name_;
  std::int32_t errors_ = 0;
};

}  // namespace berth::api
