#include "dialects/dra/selector_table.h"

#include <algorithm>

#include "cel/lib/semver.h"
#include "dialects/dra/device_view.h"

namespace berth::dialects::dra {

namespace devices = engine::devices;

namespace {

constexpr std::uint64_t kMissing = ~std::uint64_t{0};
constexpr std::uint32_t kUnseen = ~std::uint32_t{0};

bool same_look(const NameRead& a, const NameRead& b) {
  return a.field == b.field && a.domain == b.domain && a.name == b.name;
}

// Do they read the same?
bool same_reads(const Projection& a, const Projection& b) {
  return a.driver == b.driver && a.allow_multiple == b.allow_multiple && a.all_attributes == b.all_attributes &&
         a.all_capacities == b.all_capacities && std::ranges::equal(a.names, b.names, same_look);
}

std::string full_name(const NameRead& read) { return read.domain + "/" + read.name; }

}  // namespace

std::size_t SelectorTable::KeyHash::operator()(const std::vector<std::uint64_t>& key) const {
  std::uint64_t hash = 0x9e3779b97f4a7c15ULL;
  for (const std::uint64_t part : key) {
    hash = (hash ^ part) * 0xff51afd7ed558ccdULL;
    hash ^= hash >> 32U;
  }
  return static_cast<std::size_t>(hash);
}

SelectorTable::SelectorTable(const Interner<devices::SelectorId>& expressions, devices::Catalogue& catalogue,
                             const engine::Names& names, const SelectorRules& rules)
    : expressions_(expressions), catalogue_(catalogue), names_(names), compiler_(rules) {}

SelectorTable::Entry& SelectorTable::entry(devices::SelectorId id) const {
  while (entries_.size() <= id.index()) {
    Entry& made = entries_.emplace_back(compiler_.compile(expressions_.text(devices::SelectorId(entries_.size()))));
    if (made.selector) made.sight = &sight(made.selector->projection());
  }
  return entries_[id.index()];
}

SelectorTable::Sight& SelectorTable::sight(const Projection& reads) const {
  const auto known = std::ranges::find_if(sights_, [&](const Sight& other) { return same_reads(other.reads, reads); });
  if (known != sights_.end()) return *known;
  Sight& made = sights_.emplace_back();
  made.reads = reads;
  made.position = static_cast<std::uint32_t>(sights_.size()) - 1;
  return made;
}

const DeviceSelector* SelectorTable::selector(devices::SelectorId id) const {
  const auto& selector = entry(id).selector;
  return selector ? &*selector : nullptr;
}

devices::SelectorAnswer SelectorTable::failure(std::string_view message) const {
  // A message may quote what a device says, so of many devices there would be as many, of any length.
  constexpr std::size_t kMost = 10'000;
  constexpr std::size_t kLongest = 2'000;
  if (catalogue_.selector_errors.size() >= kMost) message = "an expression fails, as thousands before";
  std::size_t length = std::min(message.size(), kLongest);
  while (length < message.size() && (static_cast<unsigned char>(message[length]) & 0xC0U) == 0x80U) --length;
  return {Answer::Kind::kError, catalogue_.selector_errors.intern(message.substr(0, length))};
}

devices::SelectorAnswer SelectorTable::answer(devices::SelectorId selector, devices::KindId kind) const {
  Entry& entry = this->entry(selector);
  if (!entry.selector) return failure(entry.selector.error().message);
  const std::uint32_t number = this->number(*entry.sight, kind);
  if (entry.answers.size() <= number) entry.answers.resize(number + 1);
  std::optional<Answer>& known = entry.answers[number];
  if (!known) known = evaluate(entry, kind);
  return *known;
}

// One that does not compile reads nothing.
std::uint32_t SelectorTable::reads(devices::SelectorId selector) const {
  const Entry& entry = this->entry(selector);
  return entry.selector ? entry.sight->position : kUnseen;
}

std::uint32_t SelectorTable::look(std::uint32_t reads, devices::KindId kind) const {
  return reads == kUnseen ? 0 : number(sights_[reads], kind);
}

std::uint32_t SelectorTable::number(Sight& sight, devices::KindId kind) const {
  if (sight.by_kind.size() <= kind.index()) sight.by_kind.resize(catalogue_.kinds.size(), kUnseen);
  std::uint32_t& known = sight.by_kind[kind.index()];
  if (known != kUnseen) return known;
  project(sight, catalogue_.kinds.content(kind), kind);
  const auto next = static_cast<std::uint32_t>(sight.numbers.size());
  return known = sight.numbers.try_emplace(key_, next).first->second;
}

// Looks for the names again whenever there are new ones.
void SelectorTable::find_names(Sight& sight) const {
  const std::size_t now = catalogue_.attributes.size() + catalogue_.capacities.size();
  const std::vector<NameRead>& reads = sight.reads.names;
  if (now == sight.names_seen && sight.attributes.size() == reads.size()) return;
  sight.names_seen = now;
  sight.attributes.clear();
  sight.qualified.clear();
  sight.bare.clear();
  for (const NameRead& read : reads) {
    const bool attribute = read.field == NameRead::Field::kAttribute;
    sight.attributes.push_back(attribute ? catalogue_.attributes.find(full_name(read)) : devices::AttributeId::none());
    sight.qualified.push_back(attribute ? devices::CapacityId::none() : catalogue_.capacities.find(full_name(read)));
    sight.bare.push_back(attribute ? devices::CapacityId::none() : catalogue_.capacities.find(read.name));
  }
}

// Is the atom a version that is none? The API server takes numbers of any length, and selectors know 64 bits of them.
bool SelectorTable::is_no_version(devices::AtomId atom) const {
  if (versions_.size() <= atom.index()) versions_.resize(atom.index() + 1, Version::kUnseen);
  Version& known = versions_[atom.index()];
  if (known == Version::kUnseen) {
    const bool none =
        catalogue_.type(atom) == devices::AtomType::kVersion && !cel::parse_version(catalogue_.text(atom));
    known = none ? Version::kNone : Version::kGood;
  }
  return known == Version::kNone;
}

// Every selector fails on such a kind, whatever it reads.
bool SelectorTable::is_unreadable(const devices::Kind& kind) const {
  return std::ranges::any_of(kind.attributes, [this](const devices::Attribute& attribute) {
    return std::ranges::any_of(catalogue_.values.content(attribute.value).atoms,
                               [this](devices::AtomId atom) { return is_no_version(atom); });
  });
}

// Writes into key_ all that the selector can see of the kind.
void SelectorTable::project(Sight& sight, const devices::Kind& kind, devices::KindId id) const {
  const Projection& projection = sight.reads;
  key_.clear();
  const bool whole_domain =
      std::ranges::any_of(projection.names, [](const NameRead& read) { return read.name.empty(); });
  if (projection.all_attributes || projection.all_capacities || whole_domain) {
    key_.push_back(id.index());
    return;
  }
  find_names(sight);
  if (projection.driver) key_.push_back(kind.driver.index());
  if (projection.allow_multiple) key_.push_back(kind.allow_multiple ? 1 : 0);
  const auto capacity = [&](devices::CapacityId name) {
    const auto found = std::ranges::lower_bound(kind.capacities, name, {}, &devices::Capacity::name);
    return found != kind.capacities.end() && found->name == name ? &*found : nullptr;
  };
  for (std::size_t i = 0; i < projection.names.size(); ++i) {
    const NameRead& read = projection.names[i];
    if (read.field == NameRead::Field::kAttribute) {
      const auto value = sight.attributes[i] == devices::AttributeId::none()
                             ? devices::ValueId::none()
                             : catalogue_.attribute(id, sight.attributes[i]);
      key_.push_back(value == devices::ValueId::none() ? kMissing : value.index());
      continue;
    }
    const devices::Capacity* found =
        sight.qualified[i] == devices::CapacityId::none() ? nullptr : capacity(sight.qualified[i]);
    if (found == nullptr && sight.bare[i] != devices::CapacityId::none() &&
        names_.names.text(kind.driver) == read.domain) {
      found = capacity(sight.bare[i]);
    }
    key_.push_back(found == nullptr ? kMissing : static_cast<std::uint64_t>(found->value));
    key_.push_back(found == nullptr ? kMissing : static_cast<std::uint64_t>(found->value >> 64));
  }
  // Its error, which is not about what the selector reads, is no answer for others that look like it.
  if (is_unreadable(kind)) key_.push_back(id.index());
}

// Of the names that the selector reads: those that no device has, and the domains in which the same name is published.
std::string SelectorTable::hint(Entry& entry) const {
  find_names(*entry.sight);
  const std::vector<NameRead>& reads = entry.sight->reads.names;
  std::string text;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    if (reads[i].field != NameRead::Field::kAttribute || reads[i].name.empty()) continue;
    if (entry.sight->attributes[i] != devices::AttributeId::none()) continue;
    std::string places;
    for (std::size_t id = 0; id < catalogue_.attributes.size(); ++id) {
      const std::string_view other = catalogue_.attributes.text(devices::AttributeId(id));
      const std::size_t slash = other.rfind('/');
      if (slash == std::string_view::npos || other.substr(slash + 1) != reads[i].name) continue;
      places += (places.empty() ? "" : ", ") + std::string(other);
    }
    if (places.empty()) continue;
    text += "; no device publishes " + full_name(reads[i]) + ", which is here " + places;
  }
  return text;
}

devices::SelectorAnswer SelectorTable::evaluate(Entry& entry, devices::KindId kind) const {
  const DeviceSelector& selector = *entry.selector;
  device_arena_.reset();
  const auto device = device_value(kind, catalogue_, names_, device_arena_);
  if (!device) return failure(device.error().message);
  ++evaluations_;
  const SelectorOutcome outcome = selector.evaluate(*device, scratch_);
  switch (outcome.kind) {
    case SelectorOutcome::Kind::kNo:
      return {Answer::Kind::kNo, {}};
    case SelectorOutcome::Kind::kYes:
      return {Answer::Kind::kYes, {}};
    case SelectorOutcome::Kind::kError:
      return failure(std::string(outcome.error) + hint(entry));
  }
  return {};
}

}  // namespace berth::dialects::dra
