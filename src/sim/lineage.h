// Lineage: who a pod belongs to, from itself over its controller to the outermost one: Pod, ReplicaSet, Deployment.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "api/objects.h"

namespace berth::sim {

class Lineage {
 public:
  // Reads the controllers' own owners; O(controllers). The objects may go afterwards.
  explicit Lineage(const api::ObjectSet& objects);

  // {"Pod/web-7d-x", "ReplicaSet/web-7d", "Deployment/web"}. A controller that is not among the objects ends the list
  // with its reference. At most eight steps, so owners in a circle end too.
  [[nodiscard]] std::vector<std::string> of(const api::ObjectMeta& pod) const;

  // "Deployment/web", or "Pod/web" for a pod that nobody owns.
  [[nodiscard]] std::string root(const api::ObjectMeta& pod) const { return of(pod).back(); }

 private:
  // "Kind/namespace/name" of a controller to its own owner's "Kind/name".
  boost::unordered_flat_map<std::string, std::string> owner_of_;
};

}  // namespace berth::sim
