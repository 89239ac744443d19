// CSIDriver and CSIStorageCapacity.
#include "api/decode_fields.h"
#include "api/decode_objects.h"

namespace berth::api {
namespace {

const FieldTable<CsiDriver>& driver_spec_fields() {
  static const FieldTable<CsiDriver> kFields(
      {{"storageCapacity", member<&CsiDriver::storage_capacity>}},
      {"attachRequired", "podInfoOnMount", "volumeLifecycleModes", "fsGroupPolicy", "tokenRequests",
       "requiresRepublish", "seLinuxMount", "nodeAllocatableUpdatePeriodSeconds", "serviceAccountTokenInSecrets",
       "preventPodSchedulingIfMissing"});
  return kFields;
}

}  // namespace

void read(DecodeContext& context, const Value& value, CsiDriver& out) {
  static const FieldTable<CsiDriver> kFields(
      {{"metadata", member<&CsiDriver::metadata>}, {"spec", inner<CsiDriver, driver_spec_fields>}},
      {"apiVersion", "kind"});
  kFields.read(context, value, out);
}

void read(DecodeContext& context, const Value& value, CsiStorageCapacity& out) {
  static const FieldTable<CsiStorageCapacity> kFields(
      {{"metadata", member<&CsiStorageCapacity::metadata>},
       {"storageClassName", member<&CsiStorageCapacity::storage_class_name>},
       {"nodeTopology", member<&CsiStorageCapacity::node_topology>},
       {"capacity", member<&CsiStorageCapacity::capacity>},
       {"maximumVolumeSize", member<&CsiStorageCapacity::maximum_volume_size>}},
      {"apiVersion", "kind"});
  kFields.read(context, value, out);
}

}  // namespace berth::api
