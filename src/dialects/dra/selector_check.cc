#include "dialects/dra/selector_check.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <boost/unordered/unordered_flat_map.hpp>

namespace berth::dialects::dra {
namespace {

struct Fault {
  ErrorCode code = ErrorCode::kSyntax;
  std::string message;
  cel::Source source{""};
  cel::Position position{.line = 0, .column = 0};
};

class Checker {
 public:
  explicit Checker(const SelectorRules& rules) : compiler_(rules) {}

  void check(const std::vector<api::DeviceSelector>& selectors, const Place& place, std::string_view kind,
             const api::ObjectMeta& metadata, const std::string& field) {
    for (std::size_t i = 0; i < selectors.size(); ++i) {
      if (selectors[i].expression.empty()) continue;
      const std::optional<Fault>& fault = fault_of(selectors[i].expression);
      if (!fault) continue;
      BrokenSelector& broken = out_.emplace_back(BrokenSelector{{}, fault->source, fault->position});
      broken.error.code = fault->code;
      broken.error.message = fault->message;
      broken.error.place = place;
      broken.error.place.line = 0;  // that of the object
      broken.error.place.column = 0;
      broken.error.place.object =
          fmt::format("{} {}{}{}", kind, metadata.namespace_, metadata.namespace_.empty() ? "" : "/", metadata.name);
      broken.error.place.field = fmt::format("{}.selectors[{}].cel.expression", field, i);
    }
  }

  void check(const api::ResourceClaimSpec& spec, const Place& place, std::string_view kind,
             const api::ObjectMeta& metadata, const std::string& prefix) {
    for (std::size_t r = 0; r < spec.requests.size(); ++r) {
      const api::DeviceRequest& request = spec.requests[r];
      const std::string path = fmt::format("{}.devices.requests[{}]", prefix, r);
      if (request.exactly) check(request.exactly->selectors, place, kind, metadata, path + ".exactly");
      for (std::size_t a = 0; a < request.first_available.size(); ++a)
        check(request.first_available[a].request.selectors, place, kind, metadata,
              fmt::format("{}.firstAvailable[{}]", path, a));
    }
  }

  std::vector<BrokenSelector> take() { return std::move(out_); }

 private:
  const std::optional<Fault>& fault_of(const std::string& expression) {
    const auto known = faults_.find(expression);
    if (known != faults_.end()) return known->second;
    return faults_.emplace(expression, find_fault(expression)).first->second;
  }

  [[nodiscard]] std::optional<Fault> find_fault(std::string_view expression) const {
    const auto selector = compiler_.try_compile(expression);
    if (!selector) {
      const cel::CompileFailure& failure = selector.error().failure;
      Fault fault{.code = selector.error().code, .message = {}, .source = failure.source};
      if (failure.issues.empty()) {
        fault.message = "The selector does not compile; correct the expression.";
        return fault;
      }
      const cel::Issue& first = failure.issues.front();
      fault.position = first.position;
      fault.message = fmt::format("The selector does not compile: line {} column {}: {}; correct the expression.",
                                  first.position.line, first.position.column, first.message);
      if (failure.issues.size() > 1) fault.message += fmt::format(" ({} more are wrong.)", failure.issues.size() - 1);
      return fault;
    }
    if (selector->estimated_cost() <= kMaxSelectorCost) return std::nullopt;
    Fault fault;
    fault.code = ErrorCode::kLimit;
    fault.message = compiler_.admit(expression).error().message;
    return fault;
  }

  SelectorCompiler compiler_;
  boost::unordered_flat_map<std::string, std::optional<Fault>> faults_;
  std::vector<BrokenSelector> out_;
};

}  // namespace

std::vector<BrokenSelector> broken_selectors(const api::ObjectSet& objects, const SelectorRules& rules) {
  if (objects.device_classes.empty() && objects.resource_claims.empty() && objects.resource_claim_templates.empty())
    return {};
  Checker checker(rules);
  for (const auto& read : objects.device_classes)
    checker.check(read.object.selectors, read.place, "DeviceClass", read.object.metadata, "spec");
  for (const auto& read : objects.resource_claims)
    checker.check(read.object.spec, read.place, "ResourceClaim", read.object.metadata, "spec");
  for (const auto& read : objects.resource_claim_templates)
    checker.check(read.object.spec, read.place, "ResourceClaimTemplate", read.object.metadata, "spec.spec");
  return checker.take();
}

}  // namespace berth::dialects::dra
