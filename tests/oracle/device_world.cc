#include "oracle/device_world.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "api/encode.h"
#include "api/load.h"
#include "oracle/data_file.h"
#include "text/json_writer.h"

namespace berth::oracle {
namespace {

using text::Value;

template <class Visit>
void each_item(const Value& value, std::string_view name, Visit visit) {
  if (const Value* list = value.find(name)) {
    for (const Value& item : list->items()) visit(item);
  }
}

engine::devices::Features features_of(const Value& value) {
  const auto on = [&](std::string_view gate) {
    const Value* member = value.find(gate);
    return member != nullptr && member->is_true();
  };
  return {.admin_access = on("DRAAdminAccess"),
          .prioritized_list = on("DRAPrioritizedList"),
          .partitionable_devices = on("DRAPartitionableDevices"),
          .device_taints = on("DRADeviceTaints"),
          .binding_conditions = on("DRADeviceBindingConditions"),
          .consumable_capacity = on("DRAConsumableCapacity"),
          .fractional_capacity_range = on("DRAFractionalCapacityRange"),
          .list_type_attributes = on("DRAListTypeAttributes")};
}

std::string reach_of(const Value& result) {
  const Value* selector = result.find("nodeSelector");
  if (selector == nullptr) return "everywhere";
  std::size_t fields = 0;
  std::size_t labels = 0;
  bool this_node = false;
  each_item(*selector, "nodeSelectorTerms", [&](const Value& term) {
    each_item(term, "matchFields", [&](const Value& field) {
      ++fields;
      this_node = text::to_json(field).find("node-1") != std::string::npos;
    });
    each_item(term, "matchExpressions", [&](const Value&) { ++labels; });
  });
  if (this_node && fields == 1 && labels == 0) return "node";
  return "selector " + std::to_string(fields + labels);
}

AllocatedClaim claim_of(const Value& result) {
  AllocatedClaim claim;
  if (const Value* devices = result.find("devices")) {
    each_item(*devices, "results", [&](const Value& item) {
      AllocatedDevice& device = claim.devices.emplace_back();
      device.request = string_of(item, "request");
      device.device = string_of(item, "driver") + "/" + string_of(item, "pool") + "/" + string_of(item, "device");
      const Value* admin = item.find("adminAccess");
      device.admin_access = admin != nullptr && admin->is_true();
      device.shared = item.find("shareID") != nullptr;
      if (const Value* consumed = item.find("consumedCapacity")) {
        for (const auto& [key, amount] : consumed->members()) {
          const auto quantity = api::Quantity::parse(amount.text());
          if (quantity) device.consumed.emplace(key.text(), quantity->nanos());
        }
      }
    });
  }
  claim.reach = reach_of(result);
  return claim;
}

// The allocation of a claim without status, decoded as the API's.
Result<api::AllocationResult> result_of(const Value& result, const api::ResourceClaim& claim, const Place& place) {
  std::string json;
  text::JsonWriter writer(json);
  api::write(writer, claim);
  std::string allocation = text::to_json(result);
  const std::string_view any = "\"shareID\":\"share\"";
  const std::string with = "\"shareID\":\"" + std::string(kAnyShare) + "\"";
  for (std::size_t at = allocation.find(any); at != std::string::npos; at = allocation.find(any, at + with.size()))
    allocation.replace(at, any.size(), with);
  json.back() = ',';
  json += "\"status\":{\"allocation\":" + allocation + "}}";
  BERTH_TRY(const text::Document document, text::parse_json(json));
  api::LoadOptions options;
  options.gates.set(api::Gate::kListTypeAttributes, true);
  api::Loader loader(options);
  loader.add(document.root(), place);
  api::Loaded loaded = std::move(loader).finish();
  if (!loaded.errors.empty()) return std::unexpected(loaded.errors.front());
  if (!loaded.remarks.empty()) return std::unexpected(loaded.remarks.front());
  return *std::move(loaded.objects.resource_claims.at(0).object.status.allocation);
}

Result<DeviceWorld> read_world(const Value& value) {
  DeviceWorld world;
  world.name = string_of(value, "name");
  each_item(value, "tags", [&](const Value& tag) { world.tags.emplace_back(tag.text()); });
  if (const Value* features = value.find("features")) world.features = features_of(*features);

  api::LoadOptions options;
  options.gates.set(api::Gate::kListTypeAttributes, true);  // the world's gates are the allocator's business
  api::Loader loader(options);
  const Place place{.file = world.name};
  if (const Value* node = value.find("node")) loader.add(*node, place);
  for (const std::string_view kind : {"classes", "slices", "claims"}) {
    each_item(value, kind, [&](const Value& object) { loader.add(object, place); });
  }
  api::Loaded loaded = std::move(loader).finish();
  if (!loaded.errors.empty()) return std::unexpected(loaded.errors.front());
  if (!loaded.remarks.empty()) return std::unexpected(loaded.remarks.front());
  world.objects = std::move(loaded.objects);

  const Value* answer = value.find("answer");
  if (answer == nullptr) return fail(ErrorCode::kInvalid, "The world has no answer; write the data file again.");
  world.answer.outcome = string_of(*answer, "outcome");
  world.answer.error_class = string_of(*answer, "class");
  each_item(*answer, "results", [&](const Value& result) { world.answer.claims.push_back(claim_of(result)); });
  if (const Value* results = answer->find("results")) {
    std::size_t at = 0;
    for (const auto& read : world.objects.resource_claims) {
      if (read.object.status.allocation || at == results->items().size()) continue;
      BERTH_TRY(api::AllocationResult result, result_of(results->items()[at++], read.object, place));
      world.results.push_back(std::move(result));
    }
  }
  if (const Value* selectors = answer->find("selectors")) {
    for (const auto& [expression, slices] : selectors->members()) {
      for (const auto& [slice, letters] : slices.members()) {
        world.selectors[std::string(expression.text())][std::string(slice.text())] = letters.text();
      }
    }
  }
  return world;
}

}  // namespace

Result<DeviceData> read_device_data(const std::string& path) {
  DeviceData data;
  Result<void> read = for_each_line(path, [&](const Value& root) -> Result<void> {
    if (const Value* header = root.find("header")) {
      data.module = string_of(*header, "module");
      const Value* seed = header->find("seed");
      data.seed = seed == nullptr ? 0 : seed->as_uint64().value_or(0);
    } else {
      BERTH_TRY(DeviceWorld world, read_world(root));
      data.worlds.push_back(std::move(world));
    }
    return {};
  });
  BERTH_TRY_VOID(std::move(read));
  return data;
}

std::vector<std::string> device_data_files() {
  return data_files("structured-allocator-", "BERTH_ORACLE_FRESH_DEVICES");
}

}  // namespace berth::oracle
