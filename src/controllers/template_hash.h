// Names for revisions of pod templates, as controllers write them at pods.
#pragma once

#include <span>
#include <string>

#include "api/core.h"

namespace berth::controllers {

// A name for the template that does not change while the template does not: over what tells two revisions apart most.
[[nodiscard]] std::string template_hash(const api::PodTemplate& from);

// The label that StatefulSets and DaemonSets give their pods.
inline constexpr const char* kRevisionLabel = "controller-revision-hash";

// Its value for a new pod: that of the youngest pod of the set that has one, else one made from the template with
// `prefix` in front. The names of ControllerRevisions, which a cluster has, are among no objects here.
[[nodiscard]] std::string revision_of(std::span<const api::Pod* const> pods, const api::PodTemplate& from,
                                      const std::string& prefix);

}  // namespace berth::controllers
