#include "api/resource_rules.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "api/quantity.h"

namespace berth::api {
namespace {

constexpr std::string_view kHugePages = "hugepages-";

bool is_huge_pages(std::string_view resource) { return resource.starts_with(kHugePages); }

// What a node may promise more of than it has: everything of Kubernetes' own but huge pages.
bool may_be_overcommitted(std::string_view resource) {
  if (is_huge_pages(resource)) return false;
  return resource.find('/') == std::string_view::npos || resource.find("kubernetes.io/") != std::string_view::npos;
}

// "hugepages-2Mi" counts in pages of 2 MiB.
bool is_in_whole_pages(std::string_view resource, const Quantity& amount) {
  const auto page = Quantity::parse(resource.substr(kHugePages.size()));
  return page && page->value() > 0 && *page == Quantity::from_units(page->value()) &&
         amount.value() % page->value() == 0;
}

// A remark at LIST[RESOURCE], or where that would be.
void remark_at(DecodeContext& context, const text::Value& resources, std::string_view list, std::string_view resource,
               std::string message) {
  const DecodeContext::Scope in_list(context, list);
  const text::Value* amounts = resources.find(list);
  const text::Value* amount = amounts == nullptr ? nullptr : amounts->find(resource);
  const DecodeContext::Scope key(context, resource, DecodeContext::Scope::kMapKey);
  context.remark(amount == nullptr ? resources : *amount, std::move(message));
}

}  // namespace

void remark_on_resources(DecodeContext& context, const text::Value& container, const ResourceRequirements& resources) {
  const text::Value* written = container.find("resources");
  if (written == nullptr || !written->is_object()) return;
  const DecodeContext::Scope scope(context, "resources");
  bool any_pages = false;
  bool beside = false;
  for (const auto& [name, request] : resources.requests) {
    beside = beside || name == "cpu" || name == "memory";
    if (const auto limit = resources.limits.find(name);
        !may_be_overcommitted(name) && (limit == resources.limits.end() || limit->second != request))
      remark_at(
          context, *written, limit == resources.limits.end() ? "requests" : "limits", name,
          "The API server takes a request of " + name + " only with an equal limit; set the limit to what is asked.");
    if (!is_huge_pages(name)) continue;
    any_pages = true;
    if (!is_in_whole_pages(name, request))
      remark_at(context, *written, "requests", name,
                "The API server takes whole pages only; write a multiple of " + name.substr(kHugePages.size()) + ".");
  }
  if (any_pages && !beside)
    context.remark(*written, "The API server takes huge pages only beside cpu or memory; ask for one of them, too.");
}

}  // namespace berth::api
