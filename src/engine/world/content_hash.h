// Hash of the content of inputs, for interning: equal contents have equal hashes. Used for look-up only, never for
// order.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/input.h"

namespace berth::engine {

class ContentHash {
 public:
  void add(std::uint64_t value) {
    state_ = (state_ ^ value) * 0x9e3779b97f4a7c15ULL;
    state_ ^= state_ >> 29U;
  }
  void add(std::int64_t value) { add(static_cast<std::uint64_t>(value)); }
  void add(std::uint32_t value) { add(static_cast<std::uint64_t>(value)); }
  void add(std::int32_t value) { add(static_cast<std::uint64_t>(static_cast<std::uint32_t>(value))); }
  void add(bool value) { add(static_cast<std::uint64_t>(value)); }
  template <class Tag>
  void add(Id<Tag> id) {
    add(static_cast<std::uint64_t>(id.value()));
  }
  template <class T>
  void add(const std::optional<T>& value) {
    add(value.has_value());
    if (value) add(*value);
  }
  template <class T>
  void add(const std::vector<T>& list) {
    add(static_cast<std::uint64_t>(list.size()));
    for (const T& item : list) add(item);
  }

  void add(const Label& label);
  void add(const Requirement& requirement);
  void add(const Selector& selector);
  void add(const NameRequirement& requirement);
  void add(const NodeTerm& term);
  void add(const NodeSelector& selector);
  void add(const WeightedNodeTerm& term);
  void add(const Toleration& toleration);
  void add(const NamespaceScope& scope);
  void add(const AffinityTerm& term);
  void add(const WeightedAffinityTerm& term);
  void add(const SpreadConstraint& constraint);
  void add(const HostPort& port);
  void add(const CardRequest& request);
  void add(const ResourceAmount& amount);
  void add(const ClaimUse& use);
  void add(const Shared<NodeSelector>& selector);
  void add(const VolumeChoices& choices);
  void add(const ShapeInput& shape);

  [[nodiscard]] std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0x243f6a8885a308d3ULL;
};

// The hasher for hash maps keyed by any of the inputs above.
struct ContentHasher {
  using is_avalanching = void;
  template <class T>
  std::size_t operator()(const T& value) const {
    ContentHash hash;
    hash.add(value);
    return static_cast<std::size_t>(hash.value());
  }
};

}  // namespace berth::engine
