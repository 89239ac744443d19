// Annotations in Volcano's name that nobody reads: misspelt ones, and those that circulate in articles. They would do
// nothing without a word.
#pragma once

#include "dialects/workloads/ecosystem.h"

namespace berth::dialects::volcano {

// A remark for each such key on pods, PodGroups, Jobs and Queues, where it is seen first. What Volcano reads and Berth
// does not is said as well. O(annotations).
void remark_annotations(const api::ObjectSet& objects, workloads::Reading& out);

}  // namespace berth::dialects::volcano
