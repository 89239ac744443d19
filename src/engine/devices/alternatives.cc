#include "engine/devices/alternatives.h"

#include <algorithm>
#include <utility>

namespace berth::engine::devices {

using End = Completion::End;

bool Alternatives::possible(std::uint32_t option) const {
  const bool all = trial_.option(option).alternative->mode == Alternative::Mode::kAll;
  return !all || (!needs_.unknown[option] && !needs_.all[option].empty());
}

Demand Alternatives::demand(std::uint32_t option) const {
  const bool all = trial_.option(option).alternative->mode == Alternative::Mode::kAll;
  return {.option = option, .count = needs_.counts[option], .start = 0, .members = all ? &needs_.all[option] : nullptr};
}

End Alternatives::run(std::vector<Demand> demands, std::uint32_t claim, std::uint32_t request) {
  open_.clear();
  failed_.clear();
  for (; claim < trial_.question().claims.size(); ++claim, request = 0) {
    const std::vector<Request>& requests = trial_.question().claims[claim]->requests;
    for (; request < requests.size(); ++request) {
      if (requests[request].prioritized) {
        open_.push_back({.claim = claim, .request = request});
        continue;
      }
      const std::uint32_t option = trial_.first_option(claim, request);
      if (!possible(option)) return End::kFailed;
      demands.push_back(demand(option));
    }
  }
  if (!within_limit(0, demands) || (!open_.empty() && !may_be_had(demands))) return End::kFailed;
  return choose(0, demands);
}

bool Alternatives::may_be_had(const std::vector<Demand>& demands) {
  std::vector<OpenDemand> all;
  const auto add = [&](std::uint32_t first, std::size_t alternatives, std::int64_t most) {
    std::vector<bool> usable(trial_.devices().size());
    for (std::uint32_t option = first; option < first + alternatives; ++option) {
      const Trial::Option& its = trial_.option(option);
      if (its.admin || its.alternative->mode == Alternative::Mode::kAll) return;
      most = std::min(most, needs_.counts[option]);
      for (std::uint32_t device = 0; device < usable.size(); ++device)
        usable[device] = usable[device] || (symmetry_.eligible(option, device) && !trial_.occupied(option, device));
    }
    OpenDemand open{.options = std::vector<std::uint32_t>(static_cast<std::size_t>(most), first), .usable = {}};
    for (std::uint32_t device = 0; device < usable.size(); ++device)
      if (usable[device]) open.usable.push_back(device);
    if (most > 0 && !open.usable.empty()) all.push_back(std::move(open));
  };
  for (const Demand& one : demands)
    if (one.members == nullptr) add(one.option, 1, one.count);
  for (const auto& [claim, request] : open_) {
    add(trial_.first_option(claim, request), trial_.question().claims[claim]->requests[request].alternatives.size(),
        kMaxResults + 1);
  }
  std::uint64_t work = 0;  // once for a search
  return bounds_.devices_suffice(all, work) && bounds_.counters_suffice(all);
}

End Alternatives::choose(std::size_t number, const std::vector<Demand>& demands) {
  if (number == open_.size()) return final_.run(demands);
  const auto [claim, request] = open_[number];
  const std::uint32_t first = trial_.first_option(claim, request);
  const std::size_t count = trial_.question().claims[claim]->requests[request].alternatives.size();
  for (std::uint32_t option = first; option < first + count; ++option) {
    if (!possible(option)) continue;
    std::vector<Demand> extended = demands;
    extended.push_back(demand(option));
    if (!within_limit(number + 1, extended)) continue;
    Key key = this->key(number, extended);
    if (failed_.contains(key)) continue;
    if (number + 1 < open_.size()) {
      const std::size_t before = trial_.taken().size();
      const End probed = probe_.run(extended);
      while (trial_.taken().size() > before) trial_.give_back();
      if (probed == End::kLimit) return probed;
      if (probed == End::kFailed) {
        failed_.insert(std::move(key));
        continue;
      }
    }
    const End end = choose(number + 1, extended);
    if (end != End::kFailed) return end;
    failed_.insert(std::move(key));
  }
  return End::kFailed;
}

// All that decides whether the choice can be completed.
Alternatives::Key Alternatives::key(std::size_t number, const std::vector<Demand>& demands) const {
  Key totals(trial_.question().claims.size());
  Key what;
  for (const Demand& one : demands) {
    const auto its = static_cast<std::int64_t>(symmetry_.option_class(one.option));
    totals[trial_.option(one.option).claim] += one.count;
    if (one.members != nullptr || one.start > 0) {
      what.insert(what.end(), {-1 - static_cast<std::int64_t>(one.option)});
    } else {
      what.insert(what.end(), static_cast<std::size_t>(one.count), its);
    }
  }
  std::ranges::sort(what);
  Key result = {static_cast<std::int64_t>(number)};
  result.insert(result.end(), totals.begin(), totals.end());
  result.insert(result.end(), what.begin(), what.end());
  return result;
}

// No claim has more results than fit, even if the requests still open take their fewest.
bool Alternatives::within_limit(std::size_t number, const std::vector<Demand>& demands) const {
  std::vector<std::int64_t> totals(trial_.question().claims.size());
  for (std::uint32_t c = 0; c < totals.size(); ++c) totals[c] = static_cast<std::int64_t>(trial_.taken_of_claim(c));
  const auto add = [&](std::uint32_t claim, std::int64_t count) {
    totals[claim] = std::min(totals[claim] + std::min(count, kMaxResults + 1), kMaxResults + 1);
  };
  for (const Demand& one : demands) add(trial_.option(one.option).claim, one.count);
  for (std::size_t i = number; i < open_.size(); ++i) {
    const auto [claim, request] = open_[i];
    const std::uint32_t first = trial_.first_option(claim, request);
    const std::size_t count = trial_.question().claims[claim]->requests[request].alternatives.size();
    std::int64_t fewest = kMaxResults + 1;
    for (std::uint32_t option = first; option < first + count; ++option) {
      fewest = std::min(fewest, needs_.counts[option]);
    }
    add(claim, fewest);
  }
  return std::ranges::all_of(totals, [](std::int64_t total) { return total <= kMaxResults; });
}

}  // namespace berth::engine::devices
