// Names in a case: as in a cluster, no two objects of one kind share one. Two that do would break every count of them,
// which looks like a fault of the scheduler, so the file is refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "api/objects.h"
#include "base/result.h"
#include "sim/case/case_file.h"

namespace berth::sim {

class DocumentNames {
 public:
  explicit DocumentNames(const CaseFile& file) : file_(file) {}

  // The document's objects come at this second. Error: kInvalid where an earlier document has the name, unless a step
  // deletes its object first. Pods end in many ways, so for them only the simulation knows. O(objects x log names).
  [[nodiscard]] Result<void> add(const api::ObjectSet& objects, const CaseFile::Document& document, std::int64_t at);

 private:
  struct Use {
    std::int64_t at = 0;
    std::int32_t document = 0;
  };
  [[nodiscard]] bool deleted_between(std::string_view kind, const std::string& name, std::int64_t from,
                                     std::int64_t to) const;

  const CaseFile& file_;
  std::map<std::pair<std::size_t, std::string>, Use> uses_;  // by list and "namespace/name"
};

// The error for an object, such as "Pod default/new", of a document (0: unknown) whose name is taken.
[[nodiscard]] Error name_is_taken(const CaseFile& file, std::int32_t document, std::string_view object,
                                  std::string_view by);

}  // namespace berth::sim
