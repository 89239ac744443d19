#include "api/share_tables.h"

#include <functional>
#include <string_view>
#include <variant>

namespace berth::api {
namespace {

// A running hash; each part moves all bits of what came before.
class Mixer {
 public:
  void add(std::uint64_t part) {
    constexpr std::uint64_t kMultiplier = 0x9E37'79B9'7F4A'7C15ULL;
    constexpr int kShift = 32;
    state_ = (state_ ^ part) * kMultiplier;
    state_ ^= state_ >> kShift;
  }
  void add(std::string_view text) { add(std::hash<std::string_view>()(text)); }
  void add(const Quantity& quantity) {
    constexpr int kHalf = 64;
    add(static_cast<std::uint64_t>(quantity.nanos()));
    add(static_cast<std::uint64_t>(quantity.nanos() >> kHalf));
  }
  void add(std::int64_t number) { add(static_cast<std::uint64_t>(number)); }
  void add(bool flag) { add(static_cast<std::uint64_t>(flag ? 1 : 2)); }
  void add(const Version& version) { add(std::string_view(version.text)); }
  void add(const std::string& text) { add(std::string_view(text)); }
  template <class T>
  void add(const std::vector<T>& list) {
    add(static_cast<std::uint64_t>(list.size()));
    for (const T& item : list) add(item);
  }
  [[nodiscard]] std::uint64_t state() const { return state_; }

 private:
  std::uint64_t state_ = 1;
};

}  // namespace

std::uint64_t content_hash(const DeviceAttributes& attributes) {
  Mixer mixer;
  for (const DeviceAttribute& attribute : attributes) {
    mixer.add(attribute.name);
    mixer.add(static_cast<std::uint64_t>(attribute.value.index()));
    std::visit([&mixer](const auto& value) { mixer.add(value); }, attribute.value);
  }
  return mixer.state();
}

std::uint64_t content_hash(const DeviceCapacities& capacities) {
  Mixer mixer;
  for (const DeviceCapacity& capacity : capacities) {
    mixer.add(capacity.name);
    mixer.add(capacity.value);
  }
  return mixer.state();
}

std::uint64_t content_hash(const std::vector<CounterSet>& counters) {
  Mixer mixer;
  for (const CounterSet& set : counters) {
    mixer.add(set.name);
    for (const Counter& counter : set.counters) {
      mixer.add(counter.name);
      mixer.add(counter.value);
    }
    for (const std::string& group : set.compatibility_groups) mixer.add(group);
  }
  return mixer.state();
}

}  // namespace berth::api
