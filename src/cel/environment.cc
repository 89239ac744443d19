#include "cel/environment.h"

#include <algorithm>

#include "base/sort_unique.h"
#include "cel/standard.h"

namespace berth::cel {

namespace {

template <class MapType>
auto find_in(const MapType& map, std::string_view name) -> decltype(map.find(name)->second.get()) {
  const auto found = map.find(name);
  return found == map.end() ? nullptr : found->second.get();
}

bool is_generic(TypeRef type) {
  return type->kind == TypeKind::kParameter || std::ranges::any_of(type->parameters, is_generic);
}

}  // namespace

const Function* Environment::find_function(std::string_view name) const {
  const Function* found = find_in(functions_, name);
  return found != nullptr || !parent_ ? found : parent_->find_function(name);
}

const Variable* Environment::find_variable(std::string_view name) const {
  const Variable* found = find_in(variables_, name);
  return found != nullptr || !parent_ ? found : parent_->find_variable(name);
}

const StructType* Environment::find_struct(std::string_view name) const {
  const StructType* found = find_in(structs_, name);
  return found != nullptr || !parent_ ? found : parent_->find_struct(name);
}

TypeRef Environment::find_type(std::string_view name) const {
  const auto found = types_.find(name);
  if (found != types_.end()) return found->second;
  return parent_ ? parent_->find_type(name) : nullptr;
}

bool Environment::may_qualify(std::string_view first) const {
  if (!container_.empty()) return true;
  if (first.starts_with('.')) first.remove_prefix(1);
  return dotted_.contains(first) || (parent_ && parent_->may_qualify(first));
}

std::vector<std::string_view> Environment::names() const {
  std::vector<std::string_view> out = parent_ ? parent_->names() : std::vector<std::string_view>();
  for (const auto& [name, function] : functions_) {
    if (name.find_first_of("_@") != 0 && name.find('@') == std::string_view::npos) out.push_back(name);
  }
  for (const auto& [name, variable] : variables_) out.push_back(name);
  for (const auto& [name, type] : structs_) {
    for (const Field& field : type->fields) out.push_back(field.name);
  }
  sort_unique(out);
  return out;
}

EnvironmentBuilder::EnvironmentBuilder() : environment_(new Environment()) {}

EnvironmentBuilder::EnvironmentBuilder(std::shared_ptr<const Environment> parent) : environment_(new Environment()) {
  environment_->container_ = parent->container_;
  environment_->parse_options_ = parent->parse_options_;
  environment_->homogeneous_literals_ = parent->homogeneous_literals_;
  environment_->any_map_keys_ = parent->any_map_keys_;
  environment_->validate_literals_ = parent->validate_literals_;
  environment_->variable_count_ = parent->variable_count_;
  environment_->parent_ = std::move(parent);
}

std::string_view EnvironmentBuilder::keep(std::string_view name) {
  const std::string_view kept = environment_->names_.emplace_back(name);
  if (const std::size_t dot = kept.find('.'); dot != std::string_view::npos) {
    environment_->dotted_.insert(kept.substr(0, dot));
  }
  return kept;
}

void EnvironmentBuilder::add_overload(std::string_view function, Overload overload) {
  auto& functions = environment_->functions_;
  auto found = functions.find(function);
  if (found == functions.end()) {
    // A parent's function is extended by a copy, so that one look-up sees all overloads.
    const Function* inherited = environment_->find_function(function);
    auto added = std::make_unique<Function>();
    if (inherited != nullptr) *added = *inherited;
    added->name = keep(function);
    const std::string_view name = added->name;
    found = functions.emplace(name, std::move(added)).first;
  }
  overload.generic = std::ranges::any_of(overload.parameters, is_generic);
  std::vector<Overload>& overloads = found->second->overloads;
  const auto same = std::ranges::find(overloads, overload.id, &Overload::id);
  if (same != overloads.end()) {
    *same = std::move(overload);
  } else {
    overload.id = keep(overload.id);
    overloads.push_back(std::move(overload));
  }
}

void EnvironmentBuilder::add_overloads(std::string_view function, std::vector<Overload> overloads) {
  for (Overload& overload : overloads) add_overload(function, std::move(overload));
}

std::uint32_t EnvironmentBuilder::add_variable(std::string_view name, TypeRef type) {
  auto variable = std::make_unique<Variable>(Variable{keep(name), type, environment_->variable_count_++});
  const std::uint32_t slot = variable->slot;
  const std::string_view key = variable->name;
  environment_->variables_[key] = std::move(variable);
  return slot;
}

void EnvironmentBuilder::add_struct(StructType type) {
  for (Field& field : type.fields) field.name = keep(field.name);
  const std::string_view name = keep(type.type->name);
  environment_->types_[name] = type.type;
  environment_->structs_[name] = std::make_unique<StructType>(std::move(type));
}

void EnvironmentBuilder::add_type_name(std::string_view name, TypeRef type) { environment_->types_[keep(name)] = type; }

void EnvironmentBuilder::add_macros(std::span<const Macro> macros) {
  std::vector<Macro>& all = environment_->parse_options_.macros;
  all.insert(all.end(), macros.begin(), macros.end());
}
void EnvironmentBuilder::set_container(std::string container) { environment_->container_ = std::move(container); }
void EnvironmentBuilder::set_homogeneous_literals(bool on) { environment_->homogeneous_literals_ = on; }
void EnvironmentBuilder::set_any_map_keys(bool on) { environment_->any_map_keys_ = on; }
void EnvironmentBuilder::set_literal_validation(bool on) { environment_->validate_literals_ = on; }

std::shared_ptr<const Environment> EnvironmentBuilder::build() { return std::move(environment_); }

}  // namespace berth::cel
