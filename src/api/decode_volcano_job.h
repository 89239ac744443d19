// What the decoders of Volcano's jobs share.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "api/decode_volcano.h"

namespace berth::api::volcano {

[[nodiscard]] inline std::string quoted(std::string_view text) {
  return "\"" + std::string(text.substr(0, 100)) + "\"";
}

// Templates have labels and annotations; what else metadata may hold is the made object's own.
[[nodiscard]] ObjectMeta labels_of(const ObjectMeta& metadata);

// Who answers an event must be clear: each event and exit code once, and "*" alone.
void check_policies(DecodeContext& context, const Value& value, const std::vector<LifecyclePolicy>& policies,
                    std::string_view field);

// The tasks of a whole job, with their defaults.
void read_tasks(DecodeContext& context, const Value& value, JobSpec& out);
// All fields of a JobSpec but the tasks.
[[nodiscard]] const FieldTable<JobSpec>& job_fields();
// What the framework plugins pull in.
void complete_plugins(std::map<std::string, std::vector<std::string>>& plugins);

// Tasks of a job, flows of a JobFlow: what has a name and waits for others.
struct Waiter {
  const std::string* name;
  const std::vector<std::string>* waits_for;
};

// An error if two have one name, if one waits for a name that is nobody's, or if they wait for one another on a circle.
// `what` is one of them, in words. O(waiters + names).
void check_waiters(DecodeContext& context, const Value& value, const std::vector<Waiter>& waiters,
                   const std::string& what);

}  // namespace berth::api::volcano
