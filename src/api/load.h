// Loading: files of any mix of Kubernetes objects become typed objects, and everything that was wrong or left out is
// told.
//
//   const api::Loaded loaded = api::load(paths);
//   for (const Error& error : loaded.errors) print(error.to_string());   // not empty: exit code 1
//   plan(loaded.objects);
//
// Objects are decoded one by one as they stream by, so memory follows what is kept, not what is read: 50,000 pods of
// `kubectl get -o json` (300 MB) take well under 1 GB. managedFields, environment values, the data of Secrets and
// ConfigMaps and kubectl's last-applied copy are dropped before they reach a tree.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "api/decode_context.h"
#include "api/objects.h"
#include "base/result.h"
#include "text/entry.h"
#include "text/input.h"

namespace berth::api {

// A kind that Berth does not read: how many there were and where the first one was.
struct SkippedKind {
  std::string api_version;
  std::string kind;
  std::int32_t count = 0;
  Place first;
};

struct Loaded {
  ObjectSet objects;
  std::vector<Error> errors;         // parts of the input that could not be read; all else was
  std::vector<Error> remarks;        // read, but not all of it, or not as it says: unknown fields, names used twice
  std::vector<SkippedKind> skipped;  // by kind
  std::int64_t read = 0;             // objects among `objects`, those replaced by later ones included
};

struct LoadOptions {
  std::int32_t max_depth = 200;
  text::InputLimits limits;
  KubernetesVersion kubernetes = kNewestKubernetes;
  FeatureGates gates;  // those of `kubernetes`, but for what was set otherwise
  // Called now and then with the file and the number of objects so far.
  std::function<void(std::string_view file, std::int64_t objects)> progress;
};

// Reads files, directories and "-", in the order given. What cannot be opened is an error like any other.
[[nodiscard]] Loaded load(std::span<const std::string> paths, const LoadOptions& options = {});

// Reads text that is already in memory; `file` is what places name it.
[[nodiscard]] Loaded load_text(std::string_view text, std::string_view file = "");

// The parts of the two functions above, for those who have objects from elsewhere.
class Loader final : public text::EntryVisitor {
 public:
  explicit Loader(LoadOptions options = {}) : options_(std::move(options)) {
    settings_.version = options_.kubernetes;
    settings_.gates = options_.gates;
  }

  void load_path(const std::string& path);
  void load_source(text::ByteSource& source, std::string_view file);
  // One object that was parsed elsewhere; the value is not kept.
  void add(const text::Value& value, const Place& place);
  [[nodiscard]] Loaded finish() &&;

  void entry(const text::Entry& entry) override;
  void error(const Error& error) override;

  // What must not reach a tree, whoever reads it.
  [[nodiscard]] static const text::SkipPaths& skip_paths();

 private:
  struct Header {
    std::string_view api_version;
    std::string_view kind;
  };
  void decode(const text::Entry& entry, DecodeContext& context, const text::Value& value, Header header);
  void decode_list(const text::Entry& entry, DecodeContext& context, const text::Value& items, Header list);
  template <class T>
  void decode_object(DecodeContext& context, const text::Value& value, Header header, bool namespaced,
                     std::vector<Read<T>>& out);
  bool dispatch(DecodeContext& context, const text::Value& value, Header header);
  bool dispatch_scheduling(DecodeContext& context, const text::Value& value, Header header);
  bool dispatch_devices(DecodeContext& context, const text::Value& value, Header header);
  bool dispatch_volcano(DecodeContext& context, const text::Value& value, Header header);
  void skip(const DecodeContext& context, Header header);
  void note_refused(std::string_view kind, const ObjectMeta& metadata);
  bool settle_name(DecodeContext& context, const text::Value& value, ObjectMeta& metadata, bool namespaced);

  LoadOptions options_;
  DecodeSettings settings_;
  Diagnostics diagnostics_;
  ObjectSet objects_;
  std::map<std::pair<std::string, std::string>, SkippedKind> skipped_;  // by api version and kind
  // List and "namespace/name" to position in the list.
  boost::unordered_flat_map<std::pair<const void*, std::string>, std::size_t> names_;
  std::string file_;
  std::int64_t entries_ = 0;
  std::int64_t seen_ = 0;
  std::int64_t read_ = 0;
  std::int64_t generated_ = 0;  // names made up for objects with generateName
};

}  // namespace berth::api
