// PublishedDevices: the slices and devices of the API behind the names in an allocation.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "api/objects.h"
#include "api/resource.h"

namespace berth::dialects::dra {

struct PublishedDevice {
  const api::ResourceSlice* slice = nullptr;  // null: nothing publishes it
  const api::Device* device = nullptr;
};

class PublishedDevices {
 public:
  // Borrows the slices. O(slices).
  explicit PublishedDevices(std::span<const api::Read<api::ResourceSlice>> slices);

  // As that slice has it. O(devices of the slice).
  [[nodiscard]] PublishedDevice in_slice(std::string_view slice, std::string_view device) const;
  // As the newest generation of the pool has it. O(devices of the pool).
  [[nodiscard]] PublishedDevice in_pool(std::string_view driver, std::string_view pool, std::string_view device) const;

 private:
  using PoolKey = std::pair<std::string_view, std::string_view>;  // driver, pool
  boost::unordered_flat_map<std::string_view, const api::ResourceSlice*> by_name_;
  boost::unordered_flat_map<PoolKey, std::vector<const api::ResourceSlice*>> by_pool_;
};

}  // namespace berth::dialects::dra
