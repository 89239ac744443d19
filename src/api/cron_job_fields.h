// The spec of a CronJob, which is the same in batch/v1 and in Volcano's batch but for the job that it makes.
#pragma once

#include "api/decode_fields.h"

namespace berth::api {

// `kTemplateFields` reads spec.jobTemplate.
template <class CronJob, const FieldTable<CronJob>& (*kTemplateFields)()>
const FieldTable<CronJob>& cron_job_spec_fields() {
  static const FieldTable<CronJob> kFields({{"schedule", member<&CronJob::schedule>},
                                            {"timeZone", member<&CronJob::time_zone>},
                                            {"suspend", member<&CronJob::suspend>},
                                            {"concurrencyPolicy", member<&CronJob::concurrency_policy>},
                                            {"startingDeadlineSeconds", member<&CronJob::starting_deadline_seconds>},
                                            {"jobTemplate", inner<CronJob, kTemplateFields>}},
                                           {"successfulJobsHistoryLimit", "failedJobsHistoryLimit"});
  return kFields;
}

}  // namespace berth::api
