#include "engine/topology/counter.h"

#include <algorithm>
#include <utility>

namespace berth::engine {

namespace {

constexpr std::size_t kLarge = 64;  // nodes from which a domain has a bitmap

}  // namespace

std::uint32_t DomainTable::domain_for(LabelValueId value) {
  if (value.is_none()) return kNone;
  const auto [entry, added] = domain_of_value.try_emplace(value, static_cast<std::uint32_t>(domains.size()));
  if (added) domains.push_back({value, {}, {}});
  return entry->second;
}

void DomainTable::leave(NodeId node, std::uint32_t rank) {
  const std::uint32_t from = std::exchange(domain_of_node[node.index()], kNone);
  if (from == kNone) return;
  Domain& domain = domains[from];
  const auto place = std::ranges::find(domain.ranks, rank);
  *place = domain.ranks.back();
  domain.ranks.pop_back();
  if (!domain.bits.empty()) domain.bits.clear(rank);
  members.clear(rank);
}

void DomainTable::join(NodeId node, std::uint32_t rank, std::uint32_t to) {
  if (to == kNone) return;
  domain_of_node[node.index()] = to;
  Domain& domain = domains[to];
  domain.ranks.push_back(rank);
  members.set(rank);
  if (!domain.bits.empty()) {
    domain.bits.set(rank);
  } else if (domain.ranks.size() >= kLarge) {
    domain.bits.resize(members.word_count() * Bitmap::kBits);
    for (const std::uint32_t each : domain.ranks) domain.bits.set(each);
  }
}

void DomainTable::assign(Bitmap& bits, std::uint32_t domain, bool value) const {
  const Domain& members_of = domains[domain];
  if (!members_of.bits.empty()) {
    value ? bits.add(members_of.bits) : bits.remove(members_of.bits);
    return;
  }
  for (const std::uint32_t rank : members_of.ranks) bits.assign(rank, value);
}

std::size_t Counter::view(std::int32_t max_skew, bool self, std::int32_t min_domains) {
  const std::int32_t own = self ? 1 : 0;
  for (std::size_t i = 0; i < views_.size(); ++i) {
    const View& view = views_[i];
    if (view.max_skew == max_skew && view.self == own && view.min_domains == min_domains) return i;
  }
  View& made = views_.emplace_back();
  made.max_skew = max_skew;
  made.self = own;
  made.min_domains = min_domains;
  if (table_ != nullptr) fill(made);
  return views_.size() - 1;
}

void Counter::fill(View& view) {
  view.limit = limit_of(view);
  view.allowed.resize(ranks_);
  for (std::uint32_t domain = 0; domain < counts_.size(); ++domain) {
    if (counts_[domain] <= view.limit) table_->assign(view.allowed, domain, true);
  }
}

void Counter::reset(const DomainTable& table, const std::vector<std::uint8_t>* eligible, std::size_t ranks) {
  table_ = &table;
  eligible_ = eligible;
  ranks_ = ranks;
  counts_.reset(table.domains.size());
  eligible_nodes_.assign(keeps_minimum() ? table.domains.size() : 0, 0);
  for (std::size_t node = 0; keeps_minimum() && node < table.domain_of_node.size(); ++node) {
    const std::uint32_t domain = table.domain_of_node[node];
    if (domain != DomainTable::kNone && is_eligible(NodeId(node))) ++eligible_nodes_[domain];
  }
  parts_ = static_cast<std::uint32_t>(std::ranges::count_if(eligible_nodes_, [](std::uint32_t n) { return n > 0; }));
  total_ = 0;
  minimum_ = 0;
  histogram_.assign(1, parts_);
  occupied_.resize(ranks);
  levels_.clear();
  for (View& view : views_) fill(view);
}

std::int64_t Counter::minimum(std::int32_t min_domains) const {
  if (parts_ < static_cast<std::uint32_t>(std::max(min_domains, 0))) return 0;
  return parts_ == 0 ? std::numeric_limits<std::int32_t>::max() : minimum_;
}

void Counter::move_in_histogram(std::int32_t before, std::int32_t after) {
  // Only ever one step at a time counts as a step; a jump is written as one as well.
  const auto need = static_cast<std::size_t>(std::max(before, after)) + 1;
  if (histogram_.size() < need) histogram_.resize(need, 0);
  --histogram_[static_cast<std::size_t>(before)];
  ++histogram_[static_cast<std::size_t>(after)];
  if (after < minimum_) minimum_ = after;
  raise_minimum();
}

void Counter::raise_minimum() {
  if (parts_ == 0) return;
  while (histogram_[static_cast<std::size_t>(minimum_)] == 0) ++minimum_;
}

void Counter::leave(NodeId node, std::uint32_t rank) {
  const std::uint32_t domain = table_->domain(node);
  if (domain == DomainTable::kNone) return;
  if (keeps_minimum() && is_eligible(node) && --eligible_nodes_[domain] == 0) {
    --parts_;
    --histogram_[static_cast<std::size_t>(counts_[domain])];
  }
  occupied_.clear(rank);
  if (!levels_.empty() && counts_[domain] > 0) {
    const auto from = level(counts_[domain]);
    from->ranks.clear(rank);
    --from->nodes;
  }
  for (View& view : views_) view.allowed.clear(rank);
}

void Counter::join(NodeId node, std::uint32_t rank) {
  counts_.grow(table_->domains.size());
  if (keeps_minimum()) eligible_nodes_.resize(table_->domains.size(), 0);
  if (const std::uint32_t domain = table_->domain(node); domain != DomainTable::kNone) {
    if (keeps_minimum() && is_eligible(node) && eligible_nodes_[domain]++ == 0) {
      ++parts_;
      ++histogram_[static_cast<std::size_t>(counts_[domain])];
      minimum_ = std::min(minimum_, counts_[domain]);
    }
    if (counts_[domain] > 0) occupied_.set(rank);
    if (!levels_.empty() && counts_[domain] > 0) {
      const auto to = level(counts_[domain]);
      to->ranks.set(rank);
      ++to->nodes;
    }
    for (View& view : views_) view.allowed.assign(rank, counts_[domain] <= view.limit);
  }
  if (keeps_minimum()) {
    raise_minimum();
    for (View& view : views_) update_all(view, limit_of(view));
  }
  note_change(true);
}

void Counter::change(std::uint32_t domain, std::int32_t delta) {
  const std::int32_t before = counts_[domain];
  const std::int32_t after = before + delta;
  counts_.set(domain, after);
  total_ += delta;
  if ((before > 0) != (after > 0)) table_->assign(occupied_, domain, after > 0);
  update_levels(domain, before, after);
  if (keeps_minimum()) {
    if (eligible_nodes_[domain] != 0) move_in_histogram(before, after);
    update_views(domain);
  }
}

// The level of this count, made if it is new.
std::vector<Counter::Level>::iterator Counter::level(std::int32_t count) {
  auto found = std::ranges::lower_bound(levels_, count, {}, &Level::count);
  if (found == levels_.end() || found->count != count) {
    found = levels_.insert(found, Level{count, 0, Bitmap(ranks_)});
  }
  return found;
}

void Counter::put_on_level(std::uint32_t domain, std::int32_t count) {
  const auto to = level(count);
  table_->assign(to->ranks, domain, true);
  to->nodes += table_->domains[domain].ranks.size();
}

// Levels are kept from the time that there are pods for an eighth of the nodes until there are half as many.
void Counter::update_levels(std::uint32_t domain, std::int32_t before, std::int32_t after) {
  const auto nodes = static_cast<std::int64_t>(ranks_);
  if (levels_.empty()) {
    if (table_->has_few_domains() || total_ * 8 <= nodes) return;
    for (std::uint32_t i = 0; i < counts_.size(); ++i) {
      if (counts_[i] > 0) put_on_level(i, counts_[i]);
    }
    return;
  }
  if (total_ * 16 < nodes) {
    levels_.clear();
    return;
  }
  if (before > 0) {
    const auto from = level(before);
    table_->assign(from->ranks, domain, false);
    from->nodes -= table_->domains[domain].ranks.size();
    if (from->nodes == 0) levels_.erase(from);
  }
  if (after > 0) put_on_level(domain, after);
}

void Counter::update_views(std::uint32_t changed) {
  for (View& view : views_) {
    const std::int64_t limit = limit_of(view);
    if (limit != view.limit) {
      update_all(view, limit);
      continue;
    }
    const bool allowed = counts_[changed] <= limit;
    const auto& domain = table_->domains[changed];
    // A domain is in the bitmap whole or not at all, so its first node tells.
    if (domain.ranks.empty() || view.allowed.test(domain.ranks.front()) == allowed) continue;
    table_->assign(view.allowed, changed, allowed);
  }
}

void Counter::update_all(View& view, std::int64_t limit) {
  if (limit == view.limit) return;
  view.limit = limit;
  for (std::uint32_t i = 0; i < counts_.size(); ++i) {
    const auto& domain = table_->domains[i];
    const bool allowed = counts_[i] <= limit;
    if (domain.ranks.empty() || view.allowed.test(domain.ranks.front()) == allowed) continue;
    table_->assign(view.allowed, i, allowed);
  }
}

}  // namespace berth::engine
