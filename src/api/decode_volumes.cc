// The volumes of a pod.
#include <utility>

#include "api/decode_objects.h"
#include "api/decode_pod.h"

namespace berth::api {

namespace {

void read_claim_volume(DecodeContext& context, const Value& value, Volume& out) {
  static const FieldTable<Volume> kFields(
      {{"claimName", member<&Volume::persistent_volume_claim>}, {"readOnly", member<&Volume::read_only>}}, {});
  kFields.read(context, value, out);
  if (value.is_object() && out.persistent_volume_claim.empty())
    context.error(value, "claimName is missing; name the PersistentVolumeClaim.");
}

void read_claim_template(DecodeContext& context, const Value& value, Volume& out) {
  PersistentVolumeClaim claim;
  read(context, value, claim);
  out.claim_template = std::move(claim);
}

void read_ephemeral_volume(DecodeContext& context, const Value& value, Volume& out) {
  static const FieldTable<Volume> kFields({{"volumeClaimTemplate", read_claim_template}}, {});
  kFields.read(context, value, out);
  out.ephemeral = true;
}

void read_image_volume(DecodeContext& context, const Value& value, Volume& out) {
  static const FieldTable<Volume> kFields({{"reference", member<&Volume::image>}}, {"pullPolicy"});
  kFields.read(context, value, out);
}

void read(DecodeContext& context, const Value& value, Volume& out) {
  static const FieldTable<Volume> kFields({{"name", member<&Volume::name>},
                                           {"persistentVolumeClaim", read_claim_volume},
                                           {"ephemeral", read_ephemeral_volume},
                                           {"image", read_image_volume}},
                                          {"hostPath",
                                           "emptyDir",
                                           "gcePersistentDisk",
                                           "awsElasticBlockStore",
                                           "gitRepo",
                                           "secret",
                                           "nfs",
                                           "iscsi",
                                           "glusterfs",
                                           "rbd",
                                           "flexVolume",
                                           "cinder",
                                           "cephfs",
                                           "flocker",
                                           "downwardAPI",
                                           "fc",
                                           "azureFile",
                                           "configMap",
                                           "vsphereVolume",
                                           "quobyte",
                                           "azureDisk",
                                           "photonPersistentDisk",
                                           "projected",
                                           "portworxVolume",
                                           "scaleIO",
                                           "storageos",
                                           "csi"});
  kFields.read(context, value, out);
}

}  // namespace

void read_volumes(DecodeContext& context, const Value& value, PodSpec& out) {
  if (!value.is_array()) return context.wrong_kind(value, "an array");
  for (std::size_t i = 0; i < value.size(); ++i) {
    const DecodeContext::Scope scope(context, i);
    Volume volume;
    read(context, value.items()[i], volume);
    // All others are made on the node, wherever that is. Every pod of a cluster has one, with its token.
    if (volume.ephemeral || !volume.persistent_volume_claim.empty() || !volume.image.empty())
      out.volumes.push_back(std::move(volume));
  }
}

}  // namespace berth::api
