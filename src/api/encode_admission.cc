#include "api/encode.h"
#include "api/encode_parts.h"

namespace berth::api {

using encoding::object_member;
using encoding::resources_member;
using text::Writer;

void write(Writer& out, const RuntimeClass& runtime_class) {
  encoding::begin(out, "node.k8s.io/v1", "RuntimeClass", runtime_class.metadata);
  object_member(out, "overhead", [&] { resources_member(out, "podFixed", runtime_class.overhead); });
  object_member(out, "scheduling", [&] {
    encoding::map_member(out, "nodeSelector", runtime_class.node_selector);
    encoding::array_member(out, "tolerations", runtime_class.tolerations, encoding::write_toleration<Toleration>);
  });
  out.end_object();
}

void write(Writer& out, const LimitRange& limits) {
  encoding::begin(out, "v1", "LimitRange", limits.metadata);
  object_member(out, "spec", [&] {
    out.key("limits");
    out.begin_array();
    out.begin_object();
    out.member("type", "Container");
    resources_member(out, "default", limits.container_limits);
    resources_member(out, "defaultRequest", limits.container_requests);
    out.end_object();
    out.end_array();
  });
  out.end_object();
}

}  // namespace berth::api
