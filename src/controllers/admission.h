// Admission: what the API server's plugins RuntimeClass and LimitRanger fill into a new pod from objects.
//
// RuntimeClass: the pod's overhead, node labels that it needs and taints that it tolerates. LimitRange: requests and
// limits of containers that do not say them. What these plugins only refuse is not refused here.
// Source: plugin/pkg/admission/runtimeclass and limitranger of kube-apiserver 1.37.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "api/objects.h"

namespace berth::controllers {

class Admission {
 public:
  explicit Admission(const api::ObjectSet& objects);

  // Twice is once. Gives a sentence where the API server would refuse the pod, whose own words then count.
  std::optional<std::string> admit(api::Pod& pod) const;

 private:
  boost::unordered_flat_map<std::string, const api::RuntimeClass*> classes_;
  boost::unordered_flat_map<std::string, std::vector<const api::LimitRange*>> limits_;  // by namespace, in name order
};

}  // namespace berth::controllers
