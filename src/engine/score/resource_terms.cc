#include "engine/score/resource_terms.h"

#include <algorithm>

#include "base/mutant.h"

namespace berth::engine {
namespace {

bool is_basic(ResourceId resource) { return resource == kCpu || resource == kMemory || resource == kEphemeralStorage; }

}  // namespace

std::vector<ResourceTerm> fit_terms(const Shape& shape) {
  std::vector<ResourceTerm> terms;
  for (const WeightedResource& wanted : shape.profile->fit_resources) {
    if (wanted.resource == kPods) continue;  // not an amount that a score compares
    ResourceTerm term{.resource = wanted.resource, .weight = mutant("Rule.ResourceWeights") ? 1 : wanted.weight};
    const ShapeInput& input = shape.input;
    if (wanted.resource == kCpu) {
      term.source = ResourceTerm::Source::kNonzeroCpu;
      term.request = input.fit_score_cpu.value_or(input.nonzero_cpu);
    } else if (wanted.resource == kMemory) {
      term.source = ResourceTerm::Source::kNonzeroMemory;
      term.request = input.fit_score_memory.value_or(input.nonzero_memory);
    } else {
      term.request = input.asks(wanted.resource);
    }
    if (term.request != 0 || is_basic(wanted.resource)) terms.push_back(term);
  }
  return terms;
}

std::vector<ResourceTerm> balanced_terms(const Shape& shape) {
  std::vector<ResourceTerm> terms;
  bool asks = false;
  for (const WeightedResource& wanted : shape.profile->balanced_resources) {
    if (wanted.resource == kPods) continue;
    const Amount request = shape.input.asks(wanted.resource);
    asks = asks || request != 0;
    if (request != 0 || is_basic(wanted.resource)) {
      terms.push_back({.resource = wanted.resource, .weight = wanted.weight, .request = request});
    }
  }
  if (!asks && !mutant("Rule.SkippedBalanced")) terms.clear();
  return terms;
}

}  // namespace berth::engine
