#include "engine/gang/mixture_weights.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace berth::engine {
namespace {

constexpr std::int64_t kUnit = 10'000;
constexpr std::int64_t kHighest = 1'000'000;
constexpr int kRounds = 96;
constexpr std::size_t kMostKept = 6;

// States with how many sites have them; mixtures to which nothing can be added are the only ones that can be heaviest.
class Scale {
 public:
  explicit Scale(const MixtureProblem& problem) : problem_(problem), sites_(problem.states.size(), 0) {
    for (const std::uint32_t state : problem.sites) ++sites_[state];
    for (const std::vector<Mixture>& state : problem.states) {
      std::vector<const Mixture*>& full = full_.emplace_back();
      for (const Mixture& mixture : state)
        if (mixture.more == 0) full.push_back(&mixture);
    }
  }

  struct Weighed {
    std::int64_t room = 0;             // the heaviest mixtures together
    std::int64_t wanted = 0;           // what is wanted
    std::vector<std::int64_t> supply;  // by item: pods in the heaviest mixtures
    // Smaller: less room beyond what is wanted, or less than that.
    bool operator<(const Weighed& other) const {
      __extension__ using Wide = __int128;
      return static_cast<Wide>(room) * other.wanted < static_cast<Wide>(other.room) * wanted;
    }
  };
  [[nodiscard]] Weighed weigh(const Weights& weights) const {
    Weighed result{.supply = std::vector<std::int64_t>(weights.size(), 0)};
    for (std::size_t i = 0; i < weights.size(); ++i) result.wanted += weights[i] * problem_.wanted[i];
    for (std::size_t s = 0; s < full_.size(); ++s) {
      if (sites_[s] == 0) continue;
      const Mixture* best = nullptr;
      std::int64_t most = -1;
      for (const Mixture* mixture : full_[s]) {
        const std::int64_t here = weight_of(weights, mixture->pods);
        if (here <= most) continue;
        most = here;
        best = mixture;
      }
      if (best == nullptr) continue;
      result.room += sites_[s] * most;
      for (std::size_t i = 0; i < weights.size(); ++i) result.supply[i] += sites_[s] * best->pods[i];
    }
    return result;
  }

 private:
  const MixtureProblem& problem_;
  std::vector<std::int64_t> sites_;                // by state
  std::vector<std::vector<const Mixture*>> full_;  // by state
};

}  // namespace

std::int64_t weight_of(const Weights& weights, const std::vector<std::int32_t>& pods) {
  return std::inner_product(weights.begin(), weights.end(), pods.begin(), std::int64_t{0});
}

std::int64_t heaviest(const std::vector<Mixture>& state, const Weights& weights) {
  std::int64_t most = 0;
  for (const Mixture& mixture : state) most = std::max(most, weight_of(weights, mixture.pods));
  return most;
}

std::vector<Weights> telling_weights(const MixtureProblem& problem) {
  const std::size_t items = problem.wanted.size();
  const Scale scale(problem);
  std::vector<std::pair<Scale::Weighed, Weights>> found;
  const auto add = [&](const Weights& weights) -> const Scale::Weighed& {
    return found.emplace_back(scale.weigh(weights), weights).first;
  };
  for (std::size_t i = 0; i < items; ++i) {
    Weights single(items, 0);
    single[i] = 1;
    add(single);
  }
  const std::size_t singles = found.size();
  // An item starts with its part of a node: one over what a site takes of it alone.
  Weights weights(items, 1);
  add(weights);
  for (const Weights& hint : problem.hints) add(hint);
  for (std::size_t i = 0; i < items; ++i)
    weights[i] = std::clamp<std::int64_t>(
        kUnit * static_cast<std::int64_t>(problem.sites.size()) / std::max<std::int64_t>(found[i].first.room, 1), 1,
        kHighest);
  for (int round = 0; round < kRounds; ++round) {
    const Scale::Weighed& here = add(weights);
    if (here.room < here.wanted) break;
    // By less and less: the items that the heaviest mixtures lack become heavier, the others lighter.
    const std::int64_t step = std::max<std::int64_t>(500 - 5 * round, 10);  // thousandths
    const std::vector<std::int64_t> supply = here.supply;
    for (std::size_t i = 0; i < items; ++i) {
      const std::int64_t larger = std::max<std::int64_t>({problem.wanted[i], supply[i], 1});
      const std::int64_t change = weights[i] * step / 1000 * (problem.wanted[i] - supply[i]) / larger;
      weights[i] = std::clamp<std::int64_t>(weights[i] + change, 1, kHighest);
    }
    const std::int64_t top = *std::ranges::max_element(weights);
    if (top < kUnit)  // so that small steps are steps
      for (std::int64_t& each : weights) each *= 2;
  }
  std::stable_sort(found.begin() + static_cast<std::ptrdiff_t>(singles), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Weights> result;
  for (std::size_t i = singles; i < found.size() && result.size() < kMostKept; ++i)
    result.push_back(std::move(found[i].second));
  for (std::size_t i = 0; i < singles; ++i) result.push_back(std::move(found[i].second));
  return result;
}

std::optional<Weights> excluding_weights(const MixtureProblem& problem) {
  const Scale scale(problem);
  for (Weights& weights : telling_weights(problem)) {
    const Scale::Weighed weighed = scale.weigh(weights);
    if (weighed.room < weighed.wanted) return std::move(weights);
  }
  return std::nullopt;
}

}  // namespace berth::engine
