// FreshNames: names as generateName makes them, "PREFIXxxxxx", from the letters that Kubernetes uses. The same calls
// give the same names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

namespace berth::controllers {

class FreshNames {
 public:
  // "namespace/name" that must not be given again.
  void reserve(std::string full_name) { used_.insert(std::move(full_name)); }

  // A name that was neither given nor reserved. Of a prefix longer than 58 characters the end is cut off.
  [[nodiscard]] std::string make(std::string_view namespace_, std::string_view prefix);

 private:
  boost::unordered_flat_set<std::string> used_;
  boost::unordered_flat_map<std::string, std::uint64_t> next_suffix_;
};

}  // namespace berth::controllers
