// Names: the interners that tie the engine's ids to text. Shared by the dialects (text to id) and the reports (id to
// text). The engine itself only compares ids, except that label values know their integer for Gt and Lt.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/interner.h"
#include "engine/ids.h"

namespace berth::engine {

namespace devices {
class Catalogue;
}

// Resources every world has, at fixed ids.
inline constexpr ResourceId kCpu{0U};
inline constexpr ResourceId kMemory{1U};
inline constexpr ResourceId kEphemeralStorage{2U};
inline constexpr ResourceId kPods{3U};

class Names {
 public:
  Names();  // interns the four fixed resources
  ~Names();
  Names(const Names&) = delete;
  Names& operator=(const Names&) = delete;

  Interner<ResourceId> resources;
  Interner<LabelKeyId> label_keys;
  Interner<NamespaceId> namespaces;
  Interner<NameId> names;
  Interner<ProductId> products;
  Interner<ProfileId> profiles;

  // Label values carry the integer they spell, if any, so that Gt and Lt are integer comparisons.
  LabelValueId label_value(std::string_view text);
  [[nodiscard]] std::string_view text(LabelValueId id) const { return values_.text(id); }
  [[nodiscard]] std::optional<std::int64_t> integer(LabelValueId id) const { return integers_[id.index()]; }
  [[nodiscard]] LabelValueId find_label_value(std::string_view text) const { return values_.find(text); }

  // What devices and claims are made of.
  [[nodiscard]] devices::Catalogue& devices() { return *devices_; }
  [[nodiscard]] const devices::Catalogue& devices() const { return *devices_; }

 private:
  Interner<LabelValueId> values_;
  std::vector<std::optional<std::int64_t>> integers_;
  std::unique_ptr<devices::Catalogue> devices_;
};

}  // namespace berth::engine
