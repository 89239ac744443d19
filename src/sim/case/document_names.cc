#include "sim/case/document_names.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "sim/case/documents.h"
#include "sim/case/pod_record.h"

namespace berth::sim {

Error name_is_taken(const CaseFile& file, std::int32_t document, std::string_view object, std::string_view by) {
  const bool repeated = std::ranges::count(file.documents, document, &CaseFile::Document::number) > 1;
  return {ErrorCode::kInvalid,
          fmt::format("{} is made while there is {}; {}.", object, by,
                      repeated ? "`repeat` makes several of this document, so write a placeholder such as {i} in its "
                                 "name and in the ref"
                               : "give each document a name of its own"),
          Place{.file = file.file, .document = document}};
}

bool DocumentNames::deleted_between(std::string_view kind, const std::string& name, std::int64_t from,
                                    std::int64_t to) const {
  return std::ranges::any_of(file_.steps, [&](const CaseStep& step) {
    return step.action == CaseStep::Action::kDelete && step.at >= from && step.at < to &&
           refers_to(step.ref, kind, name);
  });
}

Result<void> DocumentNames::add(const api::ObjectSet& objects, const CaseFile::Document& document, std::int64_t at) {
  std::size_t list_number = 0;
  std::optional<Error> taken;
  for_each_list(objects, [&](const auto& list, std::string_view kind) {
    ++list_number;
    if (kind == "Pod") return;
    for (const auto& read : list) {
      const api::ObjectMeta& metadata = read.object.metadata;
      std::string name = metadata.namespace_.empty() ? metadata.name : metadata.namespace_ + "/" + metadata.name;
      const Use use{at, document.number};
      const auto [found, fresh] = uses_.try_emplace({list_number, name}, use);
      if (fresh) continue;
      if (!deleted_between(kind, metadata.name, found->second.at, at) && !taken)
        taken = name_is_taken(file_, document.number, fmt::format("{} {}", kind, name),
                              found->second.document == document.number
                                  ? "one of this name"
                                  : fmt::format("one of this name, of document {}", found->second.document));
      found->second = use;
    }
  });
  if (taken) return std::unexpected(*std::move(taken));
  return {};
}

}  // namespace berth::sim
