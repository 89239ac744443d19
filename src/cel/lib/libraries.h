// The libraries beside the standard one, each in its file. A host adds those that its expressions may use.
#pragma once

#include "cel/environment.h"

namespace berth::cel {

// charAt, indexOf, lastIndexOf, join, lowerAscii, upperAscii, replace, split, substring, trim, format, strings.quote:
// version 2 of the string extension.
void add_strings(EnvironmentBuilder& builder);
// indexOf and lastIndexOf that fail from a position behind the end of the text, as the specification's suite wants it;
// cel-go and so the API server find nothing there, -1.
void add_strict_search(EnvironmentBuilder& builder);
// format() as the first version of the extension in cel-go has it, and so the API server.
void add_first_format(EnvironmentBuilder& builder);
// "abc".reverse(), of version 3.
void add_string_reverse(EnvironmentBuilder& builder);
// sets.contains, sets.equivalent, sets.intersects.
void add_sets(EnvironmentBuilder& builder);
// slice, flatten, distinct, reverse, sort, sortBy, first, last, lists.range: version 3 of the list extension.
void add_lists(EnvironmentBuilder& builder);
// isSorted, sum, min, max, indexOf, lastIndexOf of lists; with `includes` also that.
void add_list_statistics(EnvironmentBuilder& builder, bool includes);
// find and findAll.
void add_regex_find(EnvironmentBuilder& builder);
// url, isURL and what reads the parts of a URL.
void add_urls(EnvironmentBuilder& builder);
// ip, isIP, cidr, isCIDR, containment and properties of addresses.
void add_networks(EnvironmentBuilder& builder);
// format.named and the named formats, validate.
void add_formats(EnvironmentBuilder& builder);
// Exact decimal amounts with units: quantity("1.5Gi").
void add_quantities(EnvironmentBuilder& builder);
// Semantic versions: semver("1.2.3").
void add_semvers(EnvironmentBuilder& builder);
// base64.encode, base64.decode.
void add_encoders(EnvironmentBuilder& builder);

// The whole language with every library of this room.
[[nodiscard]] std::shared_ptr<const Environment> full_environment();

}  // namespace berth::cel
