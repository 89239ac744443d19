#include "engine/gang/mixtures.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include <boost/container_hash/hash.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "engine/gang/mixture_weights.h"

namespace berth::engine {
namespace {

constexpr std::size_t kMostRemembered = std::size_t{1} << 18U;  // states that failed
// Ways that are followed at once: at one site, at all of them, and on from one way.
constexpr std::size_t kWidest = 256;
constexpr std::size_t kMostWays = 20'000;
constexpr std::size_t kBranches = 24;
constexpr std::uint32_t kAny = std::numeric_limits<std::uint32_t>::max();

class MixtureSearch {
 public:
  MixtureSearch(const MixtureProblem& problem, std::size_t limit)
      : problem_(problem), limit_(limit), left_(problem.wanted), chosen_(problem.sites.size(), 0) {
    for (const SlicedItems& sliced : problem.sliced) add_slices(sliced);
    rank_mixtures();
    for (const Weights& weights : telling_weights(problem)) add_weights(weights);
  }

  MixtureAnswer run() {
    MixtureAnswer answer;
    answer.outcome = MixtureOutcome::kFound;
    if (!could_hold(0)) {
      answer.outcome = MixtureOutcome::kNone;
    } else if (!side_by_side() && !at(0, kAny)) {
      answer.outcome = gave_up_ ? MixtureOutcome::kGaveUp : MixtureOutcome::kNone;
    }
    answer.chosen = chosen_;
    answer.looked_at = looked_at_;
    return answer;
  }

 private:
  // A mixture in the order in which it is tried.
  struct Ranked {
    std::uint32_t place = 0;   // in the state's list
    std::uint32_t rank = 0;    // in the order of numbers, the highest first
    std::int64_t lighter = 0;  // than the heaviest, by the first weights
  };
  struct Bound {
    Weights weights;
    std::vector<std::int64_t> from;  // by site: the heaviest mixtures there and later
  };
  struct Slices {
    std::int32_t here = 0;   // pods in the domain under way
    std::int32_t spare = 0;  // pods that may be in no whole slice
    std::int32_t whole = 0;  // slices that are wanted
  };
  struct SliceBound {
    std::vector<std::int64_t> from;     // by site: whole slices of later domains, at most
    std::vector<std::int64_t> in_rest;  // by site: pods that the rest of its domain could take
  };

  void add_slices(const SlicedItems& sliced) {
    Slices& made = slices_.emplace_back();
    std::int32_t pods = 0;
    for (std::size_t i = 0; i < left_.size(); ++i)
      if (has(sliced.items, i)) pods += left_[i];
    made.spare = pods % sliced.size;
    made.whole = pods / sliced.size;
    Weights ones(left_.size(), 0);
    for (std::size_t i = 0; i < ones.size(); ++i) ones[i] = has(sliced.items, i) ? 1 : 0;
    std::vector<std::int64_t> most;
    for (const std::vector<Mixture>& state : problem_.states) most.push_back(heaviest(state, ones));
    const std::size_t size = problem_.sites.size();
    SliceBound& bound = slice_bounds_.emplace_back();
    bound.from.assign(size + 1, 0);
    bound.in_rest.assign(size + 1, 0);
    std::int64_t domain = 0;
    for (std::size_t i = size; i-- > 0;) {
      const bool last = i + 1 == size || sliced.domains[i + 1] != sliced.domains[i];
      bound.from[i] = bound.from[i + 1] + (last ? domain / sliced.size : 0);
      domain = (last ? 0 : domain) + most[problem_.sites[i]];
      bound.in_rest[i] = domain;
    }
  }

  void rank_mixtures() {
    for (const std::vector<Mixture>& state : problem_.states) {
      std::vector<std::uint32_t> order(state.size());
      std::iota(order.begin(), order.end(), 0U);
      std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) { return state[a].pods > state[b].pods; });
      std::vector<Ranked>& ranked = ranked_.emplace_back();
      for (std::uint32_t rank = 0; rank < order.size(); ++rank) ranked.push_back({order[rank], rank, 0});
    }
  }

  void add_weights(const Weights& weights) {
    std::vector<std::int64_t> most;
    for (const std::vector<Mixture>& state : problem_.states) most.push_back(heaviest(state, weights));
    if (bounds_.empty()) {
      for (std::size_t s = 0; s < ranked_.size(); ++s) {
        for (Ranked& each : ranked_[s])
          each.lighter = most[s] - weight_of(weights, problem_.states[s][each.place].pods);
        std::ranges::stable_sort(ranked_[s], {}, &Ranked::lighter);
      }
    }
    Bound& bound = bounds_.emplace_back(Bound{weights, {}});
    bound.from.assign(problem_.sites.size() + 1, 0);
    for (std::size_t i = problem_.sites.size(); i-- > 0;) bound.from[i] = bound.from[i + 1] + most[problem_.sites[i]];
  }

  [[nodiscard]] static bool has(std::uint64_t bits, std::size_t item) { return ((bits >> item) & 1U) != 0; }

  [[nodiscard]] bool is_like_the_one_before(std::size_t site) const {
    return site > 0 && problem_.sites[site] == problem_.sites[site - 1] &&
           std::ranges::all_of(problem_.sliced, [&](const SlicedItems& sliced) {
             return sliced.domains[site] == sliced.domains[site - 1];
           });
  }

  // Could the sites from this one on take what is left?
  [[nodiscard]] bool could_hold(std::size_t site) const {
    for (const Bound& bound : bounds_)
      if (bound.from[site] < weight_of(bound.weights, left_)) return false;
    for (std::size_t i = 0; i < slices_.size(); ++i) {
      const Slices& each = slices_[i];
      const std::int32_t size = problem_.sliced[i].size;
      const SliceBound& bound = slice_bounds_[i];
      if ((each.here + bound.in_rest[site]) / size + bound.from[site] < each.whole) return false;
    }
    return true;
  }

  // One of several ways that are followed at once.
  struct Way {
    std::vector<std::int32_t> left;
    std::vector<Slices> slices;
    std::int64_t spare = 0;    // room beyond what is left, by the weights that leave least, in parts of what is wanted
    std::uint32_t before = 0;  // the way to the site before
    std::uint32_t place = 0;   // the mixture there
  };

  [[nodiscard]] std::int64_t spare_from(std::size_t site) const {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (const Bound& bound : bounds_) {
      const std::int64_t wanted = std::max<std::int64_t>(weight_of(bound.weights, problem_.wanted), 1);
      __extension__ using Wide = __int128;
      const auto spare = static_cast<Wide>(bound.from[site] - weight_of(bound.weights, left_)) * 1'000'000 / wanted;
      least = std::min(least, static_cast<std::int64_t>(spare));
    }
    return least;
  }

  // Many ways at once, site by site, those with most room to spare. It finds what going deep along one way misses, and
  // excludes nothing.
  bool side_by_side() {
    const std::size_t sites = problem_.sites.size();
    const std::size_t width = std::clamp<std::size_t>(kMostWays / std::max<std::size_t>(sites, 1), 8, kWidest);
    std::vector<std::vector<Way>> ways{{{.left = left_, .slices = slices_}}};
    for (std::size_t site = 0; site < sites; ++site) {
      std::vector<Way> next;
      for (std::uint32_t i = 0; i < ways[site].size(); ++i) {
        left_ = ways[site][i].left;
        slices_ = ways[site][i].slices;
        if (enter(site) && could_hold(site)) follow(site, i, next);
      }
      std::ranges::stable_sort(next, std::ranges::greater{}, &Way::spare);
      std::vector<Way>& kept = ways.emplace_back();
      for (Way& way : next) {
        if (kept.size() == width) break;
        if (seen_.insert(key_of(way)).second) kept.push_back(std::move(way));
      }
      seen_.clear();
      if (kept.empty() || looked_at_ > limit_ / 2) break;
    }
    bool found = false;
    for (std::uint32_t i = 0; ways.size() == sites + 1 && i < ways[sites].size() && !found; ++i) {
      left_ = ways[sites][i].left;
      slices_ = ways[sites][i].slices;
      found = enter(sites) && std::ranges::all_of(left_, [](std::int32_t pods) { return pods == 0; });
      std::uint32_t way = i;
      for (std::size_t site = sites; found && site > 0; --site) {
        chosen_[site - 1] = ways[site][way].place;
        way = ways[site][way].before;
      }
    }
    left_ = ways.front().front().left;
    slices_ = ways.front().front().slices;
    return found;
  }

  // The heaviest mixtures that the site could take next.
  void follow(std::size_t site, std::uint32_t way, std::vector<Way>& next) {
    std::size_t taken = 0;
    const std::int64_t most_lighter = bounds_.front().from[site] - weight_of(bounds_.front().weights, left_);
    for (const Ranked& each : ranked_[problem_.sites[site]]) {
      if (each.lighter > most_lighter || taken == kBranches) return;
      ++looked_at_;
      const Mixture& mixture = problem_.states[problem_.sites[site]][each.place];
      if (!may_take(mixture)) continue;
      ++taken;
      take(mixture, 1);
      next.push_back({left_, slices_, spare_from(site + 1), way, each.place});
      take(mixture, -1);
    }
  }

  [[nodiscard]] static std::vector<std::int32_t> key_of(const Way& way) {
    std::vector<std::int32_t> key = way.left;
    for (const Slices& each : way.slices) {
      key.push_back(each.here);
      key.push_back(each.spare);
    }
    return key;
  }

  // The sites from this one on take all that is left, or it is as it was. `highest`: the rank that a mixture may have
  // at least where the site is like the one before.
  bool at(std::size_t site, std::uint32_t highest) {
    const std::vector<Slices> before = slices_;
    if (!enter(site) || !try_all(site, highest)) {
      slices_ = before;
      return false;
    }
    return true;
  }

  // Domains that end before the site are counted. False: too many pods are in no whole slice.
  bool enter(std::size_t site) {
    for (std::size_t i = 0; i < slices_.size(); ++i) {
      const SlicedItems& sliced = problem_.sliced[i];
      if (site > 0 && site < problem_.sites.size() && sliced.domains[site] == sliced.domains[site - 1]) continue;
      Slices& each = slices_[i];
      each.whole -= each.here / sliced.size;
      each.spare -= each.here % sliced.size;
      each.here = 0;
      if (each.spare < 0) return false;
    }
    return true;
  }

  bool try_all(std::size_t site, std::uint32_t highest) {
    if (site == problem_.sites.size()) return std::ranges::all_of(left_, [](std::int32_t pods) { return pods == 0; });
    if (!could_hold(site)) return false;
    std::vector<std::int32_t> state{static_cast<std::int32_t>(site), static_cast<std::int32_t>(highest)};
    state.insert(state.end(), left_.begin(), left_.end());
    for (const Slices& each : slices_) {
      state.push_back(each.here);
      state.push_back(each.spare);
    }
    if (failed_.contains(state)) return false;
    const std::vector<Mixture>& mixtures = problem_.states[problem_.sites[site]];
    const std::int64_t most_lighter = bounds_.front().from[site] - weight_of(bounds_.front().weights, left_);
    for (const Ranked& each : ranked_[problem_.sites[site]]) {
      if (each.lighter > most_lighter) break;
      if (++looked_at_ > limit_) {
        gave_up_ = true;
        return false;
      }
      if (highest != kAny && each.rank < highest) continue;
      const Mixture& mixture = mixtures[each.place];
      if (!may_take(mixture)) continue;
      take(mixture, 1);
      chosen_[site] = each.place;
      const bool alike = site + 1 < problem_.sites.size() && is_like_the_one_before(site + 1);
      if (at(site + 1, alike ? each.rank : kAny)) return true;
      take(mixture, -1);
      if (gave_up_) return false;
    }
    if (failed_.size() < kMostRemembered) failed_.insert(std::move(state));
    return false;
  }

  // Is as much as that left of each, and nothing that would fit as well and is in no slices?
  [[nodiscard]] bool may_take(const Mixture& mixture) const {
    std::uint64_t also = mixture.more;
    for (const SlicedItems& sliced : problem_.sliced) also &= ~sliced.items;
    for (std::size_t i = 0; i < left_.size(); ++i) {
      if (mixture.pods[i] > left_[i]) return false;
      if (mixture.pods[i] < left_[i] && has(also, i)) return false;
    }
    return true;
  }

  void take(const Mixture& mixture, std::int32_t sign) {
    for (std::size_t i = 0; i < left_.size(); ++i) {
      left_[i] -= sign * mixture.pods[i];
      for (std::size_t k = 0; k < slices_.size(); ++k)
        if (has(problem_.sliced[k].items, i)) slices_[k].here += sign * mixture.pods[i];
    }
  }

  const MixtureProblem& problem_;
  std::size_t limit_;
  std::vector<std::int32_t> left_;
  std::vector<std::uint32_t> chosen_;
  std::vector<std::vector<Ranked>> ranked_;  // by state
  std::vector<Bound> bounds_;                // the tightest first
  std::vector<Slices> slices_;               // as sliced
  std::vector<SliceBound> slice_bounds_;     // the same
  boost::unordered_flat_set<std::vector<std::int32_t>, boost::hash<std::vector<std::int32_t>>> failed_;
  boost::unordered_flat_set<std::vector<std::int32_t>, boost::hash<std::vector<std::int32_t>>> seen_;  // of a site
  std::size_t looked_at_ = 0;
  bool gave_up_ = false;
};

}  // namespace

namespace {

// The same from the last site to the first.
MixtureProblem reversed(const MixtureProblem& problem) {
  MixtureProblem result = problem;
  std::ranges::reverse(result.sites);
  for (SlicedItems& sliced : result.sliced) std::ranges::reverse(sliced.domains);
  return result;
}

}  // namespace

MixtureAnswer find_mixtures(const MixtureProblem& problem, std::size_t limit) {
  // Where one order of the sites goes astray, another often does not; each of them would end.
  MixtureAnswer answer = MixtureSearch(problem, limit / 4).run();
  if (answer.outcome != MixtureOutcome::kGaveUp) return answer;
  std::size_t looked_at = answer.looked_at;
  const MixtureProblem other = reversed(problem);
  answer = MixtureSearch(other, limit / 4).run();
  std::ranges::reverse(answer.chosen);
  looked_at += answer.looked_at;
  if (answer.outcome == MixtureOutcome::kGaveUp) {
    answer = MixtureSearch(problem, limit / 2).run();
    looked_at += answer.looked_at;
  }
  answer.looked_at = looked_at;
  return answer;
}

}  // namespace berth::engine
