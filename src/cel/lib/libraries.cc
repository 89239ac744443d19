#include "cel/lib/libraries.h"

#include "cel/standard.h"

namespace berth::cel {

std::shared_ptr<const Environment> full_environment() {
  EnvironmentBuilder builder;
  add_standard(builder);
  add_optionals(builder);
  add_bindings(builder);
  add_two_variable_comprehensions(builder);
  add_strings(builder);
  add_strict_search(builder);
  add_string_reverse(builder);
  add_sets(builder);
  add_lists(builder);
  add_list_statistics(builder, true);
  add_regex_find(builder);
  add_urls(builder);
  add_networks(builder);
  add_formats(builder);
  add_quantities(builder);
  add_semvers(builder);
  add_encoders(builder);
  return builder.build();
}

}  // namespace berth::cel
