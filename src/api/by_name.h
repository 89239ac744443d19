// Objects of one kind by namespace and name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "api/full_name.h"
#include "api/objects.h"

namespace berth::api {

// Points into the objects, which have to stay where they are. Of objects with one name the first counts.
template <class T>
class ByName {
 public:
  ByName() = default;
  explicit ByName(const std::vector<Read<T>>& objects) {
    objects_.reserve(objects.size());
    for (const auto& read : objects) objects_.try_emplace(full_name(read.object.metadata), &read.object);
  }

  // Null: there is none.
  [[nodiscard]] const T* find(std::string_view namespace_, std::string_view name) const {
    const auto found = objects_.find(full_name(namespace_, name));
    return found == objects_.end() ? nullptr : found->second;
  }

 private:
  boost::unordered_flat_map<std::string, const T*> objects_;
};

}  // namespace berth::api
