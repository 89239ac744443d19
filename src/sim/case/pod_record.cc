#include "sim/case/pod_record.h"

#include <fnmatch.h>

#include <algorithm>

namespace berth::sim {

bool refers_to(std::string_view ref, std::string_view kind, const std::string& name) {
  const std::size_t slash = ref.find('/');
  return ref.substr(0, slash) == kind && fnmatch(std::string(ref.substr(slash + 1)).c_str(), name.c_str(), 0) == 0;
}

bool belongs_to(const PodRecord& pod, std::string_view ref) {
  const std::size_t slash = ref.find('/');
  const std::string_view kind = slash == std::string_view::npos ? std::string_view() : ref.substr(0, slash);
  const std::string pattern(slash == std::string_view::npos ? ref : ref.substr(slash + 1));
  return std::ranges::any_of(pod.lineage, [&](const std::string& own) {
    const std::size_t cut = own.find('/');
    if (!kind.empty() && own.compare(0, cut, kind) != 0) return false;
    return fnmatch(pattern.c_str(), own.c_str() + cut + 1, 0) == 0;
  });
}

}  // namespace berth::sim
