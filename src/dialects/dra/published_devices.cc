#include "dialects/dra/published_devices.h"

#include <algorithm>

namespace berth::dialects::dra {
namespace {

const api::Device* find(const api::ResourceSlice& slice, std::string_view name) {
  const auto found = std::ranges::find(slice.devices, name, &api::Device::name);
  return found == slice.devices.end() ? nullptr : &*found;
}

}  // namespace

PublishedDevices::PublishedDevices(std::span<const api::Read<api::ResourceSlice>> slices) {
  for (const auto& read : slices) {
    const api::ResourceSlice& slice = read.object;
    by_name_.try_emplace(slice.metadata.name, &slice);
    by_pool_[{slice.driver, slice.pool.name}].push_back(&slice);
  }
  for (auto& [key, of_pool] : by_pool_) {
    std::ranges::stable_sort(of_pool, [](const api::ResourceSlice* a, const api::ResourceSlice* b) {
      if (a->pool.generation != b->pool.generation) return a->pool.generation > b->pool.generation;
      return a->metadata.name < b->metadata.name;
    });
  }
}

PublishedDevice PublishedDevices::in_slice(std::string_view slice, std::string_view device) const {
  const auto found = by_name_.find(slice);
  if (found == by_name_.end()) return {};
  const api::Device* its = find(*found->second, device);
  return its == nullptr ? PublishedDevice{} : PublishedDevice{found->second, its};
}

PublishedDevice PublishedDevices::in_pool(std::string_view driver, std::string_view pool,
                                          std::string_view device) const {
  const auto found = by_pool_.find(PoolKey{driver, pool});
  if (found == by_pool_.end()) return {};
  for (const api::ResourceSlice* slice : found->second) {
    if (const api::Device* its = find(*slice, device)) return {slice, its};
  }
  return {};
}

}  // namespace berth::dialects::dra
