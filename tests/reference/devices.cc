#include "reference/devices.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "reference/selectors.h"

namespace berth::reference {
namespace {

using Wide = api::Quantity::Wide;
using Identity = std::tuple<std::string, std::string, std::string>;  // driver, pool, device

constexpr Wide kUnit = 1'000'000'000;
constexpr Wide kMilli = 1'000'000;

// A device of a pool that can be used, with its slice.
struct Published {
  const api::ResourceSlice* slice = nullptr;
  std::size_t index = 0;
  bool usable_here = true;  // on this node
  [[nodiscard]] const api::Device& device() const { return slice->devices[index]; }
  [[nodiscard]] Identity identity() const { return {slice->driver, slice->pool.name, device().name}; }
};

struct Use {  // of a device by allocated claims
  bool whole = false;
  int shares = 0;
  std::map<std::string, Wide> consumed;
};

struct Choice {  // one device for one request
  std::size_t claim = 0;
  std::size_t request = 0;
  std::optional<std::size_t> alternative;
  const api::ExactDeviceRequest* asked = nullptr;
  std::size_t device = 0;  // in Search::devices_
};

bool tolerates(const api::DeviceToleration& toleration, const api::DeviceTaint& taint) {
  if (toleration.effect && *toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  return toleration.op == api::DeviceTolerationOperator::kExists || toleration.value == taint.value;
}

Wide rounded_up(Wide amount, Wide unit) {
  const Wide down = amount / unit;
  return down * unit < amount ? down + 1 : down;
}

// What is taken of one capacity, or none if the policy forbids it.
std::optional<Wide> consumption(const api::DeviceCapacity& capacity, const api::Quantity* asked, bool fractional) {
  const api::CapacityRequestPolicy& policy = *capacity.request_policy;
  if (asked == nullptr) return policy.default_value ? policy.default_value->nanos() : capacity.value.nanos();
  Wide amount = asked->nanos();
  if (!policy.valid_values.empty()) {
    for (const api::Quantity& valid : policy.valid_values) {
      if (valid.nanos() >= amount) return valid.nanos();
    }
    return std::nullopt;
  }
  if (!policy.valid_range) return amount;
  const api::CapacityRange& range = *policy.valid_range;
  amount = std::max(amount, range.min.nanos());
  if (range.step && amount > range.min.nanos()) {
    const auto exact = [](const std::optional<api::Quantity>& one) { return !one || one->nanos() % kMilli == 0; };
    const bool in_milli = fractional && exact(range.min) && exact(range.max) && exact(range.step);
    if (in_milli && amount % kMilli != 0) return std::nullopt;
    const Wide unit = in_milli ? kMilli : kUnit;
    const Wide step = rounded_up(range.step->nanos(), unit);
    const Wide min = rounded_up(range.min.nanos(), unit);
    const Wide over = rounded_up(amount, unit) - min;
    amount = (min + (over + step - 1) / step * step) * unit;
    if (amount / unit > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  }
  if (range.max && amount > range.max->nanos()) return std::nullopt;
  return amount;
}

// The values of an attribute as texts with their type, or none.
std::optional<std::set<std::string>> values_of(const Published& published, const std::string& name, bool* list) {
  const api::DeviceAttributes& attributes = *published.device().attributes;
  const api::DeviceAttribute* found = api::find_attribute(attributes, name);
  const std::string domain = published.slice->driver + "/";
  if (found == nullptr && name.starts_with(domain)) {
    found = api::find_attribute(attributes, std::string_view(name).substr(domain.size()));
  }
  if (found == nullptr) return std::nullopt;
  std::set<std::string> result;
  *list = false;
  const auto add = [&](const auto& one) {
    using One = std::decay_t<decltype(one)>;
    if constexpr (std::is_same_v<One, bool>) {
      result.insert(one ? "b1" : "b0");
    } else if constexpr (std::is_same_v<One, std::int64_t>) {
      result.insert("i" + std::to_string(one));
    } else if constexpr (std::is_same_v<One, api::Version>) {
      result.insert("v" + one.text);
    } else {
      result.insert("s" + one);
    }
  };
  std::visit(
      [&](const auto& content) {
        using Content = std::decay_t<decltype(content)>;
        if constexpr (std::is_same_v<Content, std::vector<std::int64_t>> ||
                      std::is_same_v<Content, std::vector<std::string>> ||
                      std::is_same_v<Content, std::vector<api::Version>>) {
          *list = true;
          for (const auto& one : content) add(one);
        } else if constexpr (std::is_same_v<Content, std::vector<bool>>) {
          *list = true;
          for (const bool one : content) add(one);
        } else {
          add(content);
        }
      },
      found->value);
  return result;
}

class Search {
 public:
  Search(const DeviceQuestion& question, std::int64_t most) : question_(question), left_(most) {
    read_use();
    std::set<std::pair<std::string, std::string>> pools;
    for (const api::ResourceSlice* slice : question.slices) pools.emplace(slice->driver, slice->pool.name);
    for (const auto& [driver, pool] : pools) read_pool(driver, pool);
  }

  std::optional<bool> run() {
    const bool found = claim(0);
    if (left_ < 0) return std::nullopt;
    return found;
  }

  DeviceScores scores(const std::vector<std::vector<api::DeviceAllocationResult>>& allocations) const {
    DeviceScores result;
    std::map<Identity, std::vector<const api::DeviceAllocationResult*>> taken;
    std::set<std::string> drivers;
    for (std::size_t c = 0; c < allocations.size(); ++c) {
      result.rank += rank(pending_[c]->spec, allocations[c]);
      for (const api::DeviceAllocationResult& one : allocations[c]) {
        if (one.admin_access) continue;
        taken[{one.driver, one.pool, one.device}].push_back(&one);
        drivers.insert(one.driver);
      }
    }
    std::int64_t count = 0;
    std::int64_t touched = 0;
    std::int64_t part = 0;
    Card sum;
    bool whole = true;
    bool opened = false;
    for (const std::vector<Published>& members : cards()) {
      if (!drivers.contains(members.front().slice->driver)) continue;
      const Card card = judged(members, taken);
      ++count;
      sum.after += card.after;
      if (std::ranges::none_of(members, [&](const Published& one) { return taken.contains(one.identity()); })) continue;
      ++touched;
      part += card.after - card.before;
      sum.wasted += card.wasted;
      const bool takes_all = card.before == 0 && card.after == 1024;
      whole = whole && takes_all;
      opened = opened || (card.before == 0 && !takes_all);
    }
    if (touched == 0) return result;
    const std::int64_t spared = 100 - part * 100 / (1024 * touched);
    const std::int64_t fullness = sum.after * 100 / (1024 * count);
    if (whole) {
      result.packing = fullness;
    } else if (opened) {
      result.packing = (fullness + spared) / 4;
    } else {
      result.packing = 50 + (spared + 100 - sum.wasted * 100 / (1024 * touched)) / 4;
    }
    return result;
  }

 private:
  // --- What there is

  bool on_node(const std::string& name, const std::optional<api::NodeSelector>& selector, bool all) const {
    if (!name.empty()) return name == question_.node->metadata.name;
    if (all) return true;
    return selector && selector_matches(*selector, *question_.node);
  }

  bool on_node(const api::ResourceSlice& slice) const {
    if (!slice.per_device_node_selection) return on_node(slice.node_name, slice.node_selector, slice.all_nodes);
    return std::ranges::any_of(slice.devices, [this](const api::Device& one) {
      return on_node(one.node_name, *one.node_selector, one.all_nodes);
    });
  }

  bool ignored(const api::ResourceSlice& slice) const {
    return !question_.gates.partitionable_devices &&
           (slice.per_device_node_selection || !slice.shared_counters.empty());
  }

  void read_use() {
    for (const api::ResourceClaim* claim : question_.claims) {
      if (!claim->status.allocation) {
        pending_.push_back(claim);
        continue;
      }
      for (const api::DeviceAllocationResult& result : claim->status.allocation->results) {
        if (result.admin_access) continue;
        Use& use = use_[{result.driver, result.pool, result.device}];
        if (result.share_id.empty() || !question_.gates.consumable_capacity) {
          use.whole = true;
          continue;
        }
        ++use.shares;
        for (const auto& [name, amount] : result.consumed_capacity) use.consumed[name] += amount.nanos();
      }
    }
  }

  void read_pool(const std::string& driver, const std::string& name) {
    std::vector<const api::ResourceSlice*> all;
    for (const api::ResourceSlice* slice : question_.slices) {
      if (slice->driver == driver && slice->pool.name == name) all.push_back(slice);
    }
    std::vector<const api::ResourceSlice*> here;
    std::int64_t generation = -1;
    for (const api::ResourceSlice* slice : all) {
      if (!ignored(*slice) && on_node(*slice)) generation = std::max(generation, slice->pool.generation);
    }
    std::vector<const api::ResourceSlice*> whole;
    bool newer = false;
    bool disputed = false;
    for (const api::ResourceSlice* slice : all) {
      newer = newer || slice->pool.generation > generation;
      if (slice->pool.generation != generation) continue;
      whole.push_back(slice);
      disputed = disputed || slice->pool.resource_slice_count != whole.front()->pool.resource_slice_count;
      if (!ignored(*slice) && on_node(*slice)) here.push_back(slice);
    }
    if (here.empty()) return;
    const auto count = static_cast<std::size_t>(here.front()->pool.resource_slice_count);
    const bool complete_here = here.size() == count;
    if (!complete_here && newer) return;
    const bool complete = complete_here || whole.size() == count;
    Pool pool;
    const bool valid = complete && !disputed && fill(pool, here, complete_here ? here : whole);
    if (valid) {
      for (const Published& one : pool.here) devices_.push_back(one);
      pools_[{driver, name}] = std::move(pool);
    } else {
      for (const api::ResourceSlice* slice : here) {
        for (std::size_t i = 0; i < slice->devices.size(); ++i) uncertain_.push_back({.slice = slice, .index = i});
        if (slice->devices.empty() && here.size() == 1) blind_ = true;
      }
    }
  }

  struct Pool {
    std::vector<Published> here;
    std::vector<Published> elsewhere;
    std::map<std::pair<std::string, std::string>, Wide> counters;  // by set and counter
  };

  // A set in one slice with devices is for these alone, as in Kubernetes 1.34; else it is for the whole pool.
  static std::string set_of(const api::ResourceSlice& slice, const api::CounterSet& set) {
    const bool own = !slice.shared_counters.empty() && !slice.devices.empty();
    return own ? slice.metadata.name + "/" + set.name : set.name;
  }

  // False: the pool contradicts itself.
  bool fill(Pool& pool, const std::vector<const api::ResourceSlice*>& here,
            const std::vector<const api::ResourceSlice*>& whole) const {
    const bool counting = question_.gates.partitionable_devices;
    std::set<std::string> names;
    std::set<std::string> sets;
    for (const api::ResourceSlice* slice : whole) {
      const bool targets = std::ranges::find(here, slice) != here.end();
      if (counting && !slice->shared_counters.empty()) {
        for (const api::CounterSet& set : slice->shared_counters) {
          if (!sets.insert(set_of(*slice, set)).second) return false;
          for (const api::Counter& counter : set.counters)
            pool.counters[{set_of(*slice, set), counter.name}] = counter.value.nanos();
        }
      }
      for (std::size_t i = 0; i < slice->devices.size(); ++i) {
        if (targets && !names.insert(slice->devices[i].name).second) return false;
        const api::Device& one = slice->devices[i];
        const bool usable =
            !slice->per_device_node_selection || on_node(one.node_name, *one.node_selector, one.all_nodes);
        (targets ? pool.here : pool.elsewhere).push_back({.slice = slice, .index = i, .usable_here = usable});
      }
    }
    if (!counting) return true;
    for (const auto* list : {&pool.here, &pool.elsewhere}) {
      for (const Published& one : *list) {
        for (const api::CounterSet& set : *one.device().consumes_counters) {
          for (const api::Counter& counter : set.counters) {
            if (!pool.counters.contains({set_of(*one.slice, set), counter.name})) return false;
          }
        }
      }
    }
    return true;
  }

  // --- What an allocation is worth

  // A card before and after, and what it loses of its placements, in 1/1024.
  struct Card {
    std::int64_t before = 0;
    std::int64_t after = 0;
    std::int64_t wasted = 0;
  };
  using Taken = std::map<Identity, std::vector<const api::DeviceAllocationResult*>>;
  using CounterName = std::pair<std::string, std::string>;

  static std::int64_t share(Wide part, Wide whole) {
    return whole <= 0 ? 0 : static_cast<std::int64_t>(std::clamp<Wide>(part, 0, whole) * 1024 / whole);
  }

  static std::int64_t rank(const api::ResourceClaimSpec& spec,
                           const std::vector<api::DeviceAllocationResult>& results) {
    std::int64_t sum = 0;
    for (const api::DeviceRequest& request : spec.requests) {
      for (std::size_t a = 0; a < request.first_available.size(); ++a) {
        const std::string name = request.name + "/" + request.first_available[a].name;
        if (std::ranges::find(results, name, &api::DeviceAllocationResult::request) != results.end()) {
          sum += 8 - static_cast<std::int64_t>(a);
        }
      }
    }
    return sum;
  }

  // None counts while the gate is off.
  std::map<CounterName, Wide> counters_of(const Published& one) const {
    std::map<CounterName, Wide> result;
    if (!question_.gates.partitionable_devices) return result;
    for (const api::CounterSet& set : *one.device().consumes_counters) {
      for (const api::Counter& counter : set.counters)
        result[{set_of(*one.slice, set), counter.name}] = counter.value.nanos();
    }
    return result;
  }

  // Devices that share a counter, directly or through others, are one card.
  std::vector<std::vector<Published>> cards() const {
    std::vector<std::vector<Published>> result;
    for (const auto& [key, pool] : pools_) {
      std::vector<std::pair<std::set<CounterName>, std::vector<Published>>> groups;
      for (const Published& one : pool.here) {
        std::pair<std::set<CounterName>, std::vector<Published>> merged;
        for (const auto& [name, amount] : counters_of(one)) merged.first.insert(name);
        std::vector<std::pair<std::set<CounterName>, std::vector<Published>>> rest;
        for (auto& group : groups) {
          const bool common =
              std::ranges::any_of(group.first, [&](const CounterName& name) { return merged.first.contains(name); });
          if (!common) {
            rest.push_back(std::move(group));
            continue;
          }
          merged.first.insert(group.first.begin(), group.first.end());
          merged.second.insert(merged.second.end(), group.second.begin(), group.second.end());
        }
        merged.second.push_back(one);
        rest.push_back(std::move(merged));
        groups = std::move(rest);
      }
      for (auto& group : groups) result.push_back(std::move(group.second));
    }
    return result;
  }

  Card judged(const std::vector<Published>& members, const Taken& taken) const {
    if (counters_of(members.front()).empty()) return judged(members.front(), taken);
    const Pool& pool = pools_.at({members.front().slice->driver, members.front().slice->pool.name});
    std::map<CounterName, Wide> before;  // as they are charged
    std::map<CounterName, Wide> after;
    std::map<CounterName, Wide> used_before;  // of shared devices as much as is used
    std::map<CounterName, Wide> used_after;
    for (const Published& one : members) {
      for (const auto& [name, amount] : counters_of(one)) {
        before[name] += used(one, {}) > 0 ? amount : 0;
        after[name] += used(one, taken) > 0 ? amount : 0;
        used_before[name] += amount * used(one, {}) / 1024;
        used_after[name] += amount * used(one, taken) / 1024;
      }
    }
    Card card;
    const auto count = static_cast<std::int64_t>(before.size());
    for (const auto& [name, total_use] : used_before) {
      card.before += share(total_use, pool.counters.at(name));
      card.after += share(used_after[name], pool.counters.at(name));
    }
    card.before /= count;
    card.after /= count;
    std::int64_t lost = 0;
    std::int64_t all = 0;
    for (const Published& one : members) {
      const Use use = use_of(one);
      bool was = !use.whole && use.shares == 0;
      bool is = was && !taken.contains(one.identity());
      std::int64_t size = 0;
      for (const auto& [name, amount] : counters_of(one)) {
        const Wide total = pool.counters.at(name);
        size += share(amount, total);
        was = was && amount <= total - before[name];
        is = is && amount <= total - after[name];
      }
      all += size;
      if (was && !is) lost += size;
      if (taken.contains(one.identity())) card.wasted += size * (1024 - used(one, taken)) / (1024 * count);
    }
    card.wasted = std::min<std::int64_t>(1024, card.wasted + (all == 0 ? 0 : lost * 1024 / all));
    return card;
  }

  Card judged(const Published& one, const Taken& taken) const {
    const std::int64_t after = used(one, taken);
    return {.before = used(one, {}), .after = after, .wasted = taken.contains(one.identity()) ? 1024 - after : 0};
  }

  // Of a device, in 1/1024: of a shared one the capacity that is used most, and never nothing.
  std::int64_t used(const Published& one, const Taken& taken) const {
    const Use use = use_of(one);
    const auto mine = taken.find(one.identity());
    if (use.whole) return 1024;
    if (mine == taken.end() && use.shares == 0) return 0;
    std::map<std::string, Wide> consumed = use.consumed;
    if (mine != taken.end()) {
      for (const api::DeviceAllocationResult* result : mine->second) {
        if (result->share_id.empty()) return 1024;
        for (const auto& [name, amount] : result->consumed_capacity) consumed[name] += amount.nanos();
      }
    }
    std::int64_t most = 1;
    for (const api::DeviceCapacity& capacity : *one.device().capacity)
      most = std::max(most, share(consumed[capacity.name], capacity.value.nanos()));
    return most;
  }

  // --- What is asked

  bool selected(const api::ExactDeviceRequest& asked, const Published& one) const {
    const auto its_class = std::ranges::find_if(question_.classes, [&](const api::DeviceClass* other) {
      return other->metadata.name == asked.device_class_name;
    });
    if (its_class == question_.classes.end()) return false;
    const auto yes = [&](const api::DeviceSelector& selector) {
      return question_.selects(selector.expression, *one.slice, one.index);
    };
    return std::ranges::all_of((*its_class)->selectors, yes) && std::ranges::all_of(asked.selectors, yes);
  }

  // The device alone could satisfy the request, whoever uses it.
  bool suits(const api::ExactDeviceRequest& asked, const Published& one) const {
    if (!one.usable_here || (!question_.gates.binding_conditions && !one.device().binding_conditions->empty()))
      return false;
    return selected(asked, one) && (!question_.gates.consumable_capacity || demands(asked, one, {}));
  }

  // The amounts that the request takes, if they fit beside `consumed`.
  std::optional<std::map<std::string, Wide>> demands(const api::ExactDeviceRequest& asked, const Published& one,
                                                     const std::map<std::string, Wide>& consumed) const {
    const api::ResourceList wanted = asked.capacity_requests.value_or(api::ResourceList());
    for (const auto& [name, amount] : wanted) {
      if (api::find_capacity(*one.device().capacity, name) == nullptr) return std::nullopt;
    }
    std::map<std::string, Wide> result;
    for (const api::DeviceCapacity& capacity : *one.device().capacity) {
      const auto request = wanted.find(capacity.name);
      const auto amount = consumption(capacity, request == wanted.end() ? nullptr : &request->second,
                                      question_.gates.fractional_capacity_range);
      if (!amount) return std::nullopt;
      const auto before = consumed.find(capacity.name);
      if (*amount + (before == consumed.end() ? 0 : before->second) > capacity.value.nanos()) return std::nullopt;
      result[capacity.name] = *amount;
    }
    return result;
  }

  bool claim(std::size_t c) {
    if (c == pending_.size()) {
      --left_;
      return left_ >= 0 && legal();
    }
    return request(c, 0);
  }

  bool request(std::size_t c, std::size_t r) {
    if (left_ < 0) return false;
    const auto& requests = pending_[c]->spec.requests;
    if (r == requests.size()) {
      const auto in_claim = std::ranges::count_if(chosen_, [c](const Choice& one) { return one.claim == c; });
      return in_claim <= 32 && claim(c + 1);
    }
    if (requests[r].exactly) return alternative({.claim = c, .request = r, .asked = &*requests[r].exactly});
    for (std::size_t a = 0; a < requests[r].first_available.size(); ++a) {
      if (alternative({.claim = c, .request = r, .alternative = a, .asked = &requests[r].first_available[a].request})) {
        return true;
      }
    }
    return false;
  }

  bool alternative(const Choice& choice) {
    std::vector<std::size_t> candidates;
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      if (suits(*choice.asked, devices_[i])) candidates.push_back(i);
    }
    if (choice.asked->allocation_mode == api::DeviceAllocationMode::kExactCount) {
      return sets(choice, candidates, 0, choice.asked->count);
    }
    const auto may_be = [&](const Published& one) { return selected(*choice.asked, one); };
    if (candidates.empty() || blind_ || std::ranges::any_of(uncertain_, may_be)) return false;
    return sets(choice, candidates, 0, static_cast<std::int64_t>(candidates.size()));
  }

  bool sets(Choice choice, const std::vector<std::size_t>& candidates, std::size_t from, std::int64_t missing) {
    if (left_ < 0) return false;
    if (missing == 0) return request(choice.claim, choice.request + 1);
    if (static_cast<std::int64_t>(candidates.size() - from) < missing) {
      --left_;
      return false;
    }
    for (std::size_t i = from; i < candidates.size(); ++i) {
      choice.device = candidates[i];
      chosen_.push_back(choice);
      if (sets(choice, candidates, i + 1, missing - 1)) return true;
      chosen_.pop_back();
    }
    return false;
  }

  // --- Is a complete choice legal?

  bool legal() const {
    return nothing_twice() && nothing_tainted() && capacities_hold() && counters_hold() && constraints_hold();
  }

  bool shareable(const Published& one) const {
    return question_.gates.consumable_capacity && one.device().allow_multiple_allocations;
  }

  Use use_of(const Published& one) const {
    const auto found = use_.find(one.identity());
    return found == use_.end() ? Use{} : found->second;
  }

  static bool looks_only(const Choice& choice) { return choice.asked->admin_access.value_or(false); }

  bool nothing_twice() const {
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      const Published& one = devices_[chosen_[i].device];
      const Use use = use_of(one);
      const bool admin = looks_only(chosen_[i]);
      if (!admin && (use.whole || (use.shares > 0 && !shareable(one)))) return false;
      if (shareable(one)) continue;
      for (std::size_t j = 0; j < i; ++j) {
        if (chosen_[j].device != chosen_[i].device) continue;
        if (chosen_[j].claim == chosen_[i].claim || (!admin && !looks_only(chosen_[j]))) return false;
      }
    }
    return true;
  }

  bool nothing_tainted() const {
    if (!question_.gates.device_taints) return true;
    return std::ranges::all_of(chosen_, [this](const Choice& choice) {
      return std::ranges::all_of(*devices_[choice.device].device().taints, [&](const api::DeviceTaint& taint) {
        return taint.effect == api::DeviceTaintEffect::kNone ||
               std::ranges::any_of(choice.asked->tolerations, [&](const auto& one) { return tolerates(one, taint); });
      });
    });
  }

  bool capacities_hold() const {
    if (!question_.gates.consumable_capacity) return true;
    std::map<std::size_t, std::map<std::string, Wide>> consumed;
    for (const Choice& choice : chosen_) {
      const Published& one = devices_[choice.device];
      const auto [entry, added] = consumed.try_emplace(choice.device, use_of(one).consumed);
      const auto amounts = demands(*choice.asked, one, entry->second);
      if (!amounts) return false;
      if (!shareable(one)) continue;
      for (const auto& [name, amount] : *amounts) entry->second[name] += amount;
    }
    return true;
  }

  bool counters_hold() const {
    if (!question_.gates.partitionable_devices) {
      return std::ranges::all_of(chosen_, [this](const Choice& choice) {
        return devices_[choice.device].device().consumes_counters->empty();
      });
    }
    std::set<Identity> charged;
    for (const Choice& choice : chosen_) {
      const Published& one = devices_[choice.device];
      // Who only looks is not charged, nor is a further share of a device in use.
      if (looks_only(choice) || (shareable(one) && use_of(one).shares > 0)) continue;
      charged.insert(one.identity());
    }
    for (const auto& [identity, pool] : pools_) {
      std::map<std::pair<std::string, std::string>, Wide> left = pool.counters;
      const auto take = [&](const Published& one) {
        for (const api::CounterSet& set : *one.device().consumes_counters) {
          for (const api::Counter& counter : set.counters)
            left[{set_of(*one.slice, set), counter.name}] -= counter.value.nanos();
        }
      };
      for (const auto* list : {&pool.here, &pool.elsewhere}) {
        for (const Published& one : *list) {
          const Use use = use_of(one);
          if (use.whole || use.shares > 0) take(one);
        }
      }
      for (const Published& one : pool.here) {
        if (charged.contains(one.identity())) take(one);
      }
      for (const Published& one : pool.here) {
        if (!charged.contains(one.identity())) continue;
        for (const api::CounterSet& set : *one.device().consumes_counters) {
          for (const api::Counter& counter : set.counters) {
            if (left[{set_of(*one.slice, set), counter.name}] < 0) return false;
          }
        }
      }
    }
    return true;
  }

  bool constraints_hold() const {
    for (std::size_t c = 0; c < pending_.size(); ++c) {
      for (const api::DeviceConstraint& constraint : pending_[c]->spec.constraints) {
        if (!holds(constraint, c)) return false;
      }
    }
    return true;
  }

  bool concerns(const api::DeviceConstraint& constraint, const Choice& choice) const {
    if (constraint.requests.empty()) return true;
    const api::DeviceRequest& request = pending_[choice.claim]->spec.requests[choice.request];
    return std::ranges::any_of(constraint.requests, [&](const std::string& name) {
      return name == request.name ||
             (choice.alternative && name == request.name + "/" + request.first_available[*choice.alternative].name);
    });
  }

  bool holds(const api::DeviceConstraint& constraint, std::size_t c) const {
    const bool match = !constraint.match_attribute.empty();
    std::vector<std::set<std::string>> values;
    int lists = 0;
    bool first_is_list = false;
    for (const Choice& choice : chosen_) {
      if (choice.claim != c || !concerns(constraint, choice)) continue;
      bool list = false;
      auto of_device =
          values_of(devices_[choice.device], match ? constraint.match_attribute : constraint.distinct_attribute, &list);
      if (!of_device) return false;
      if (values.empty()) first_is_list = list;
      if (list) ++lists;
      values.push_back(std::move(*of_device));
    }
    // Without lists a list is a value of no known type: it can only stand alone, or first.
    if (!question_.gates.list_type_attributes && lists > 0 && values.size() > 1) {
      if (match || lists > 1 || !first_is_list) return false;
      values.erase(values.begin());
    }
    if (!match) {
      std::set<std::string> seen;
      for (const std::set<std::string>& one : values) {
        for (const std::string& text : one) {
          if (!seen.insert(text).second) return false;
        }
      }
      return true;
    }
    if (values.empty()) return true;
    return std::ranges::any_of(values.front(), [&](const std::string& text) {
      return std::ranges::all_of(values, [&](const std::set<std::string>& one) { return one.contains(text); });
    });
  }

  const DeviceQuestion& question_;
  std::int64_t left_;
  std::map<Identity, Use> use_;
  std::vector<const api::ResourceClaim*> pending_;
  std::map<std::pair<std::string, std::string>, Pool> pools_;
  std::vector<Published> devices_;    // of usable pools
  std::vector<Published> uncertain_;  // of others: All cannot tell whether they are its
  bool blind_ = false;                // such a pool shows no device at all
  std::vector<Choice> chosen_;
};

}  // namespace

DeviceScores device_scores(const DeviceQuestion& question,
                           const std::vector<std::vector<api::DeviceAllocationResult>>& allocations) {
  return Search(question, 0).scores(allocations);
}

std::optional<bool> some_allocation(const DeviceQuestion& question, std::int64_t most) {
  return Search(question, most).run();
}

}  // namespace berth::reference
