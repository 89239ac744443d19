// What is wrong with a text of a named format, in the words of the Kubernetes API server 1.37: expressions may compare
// them. No fault: the text is of the format. Sources: k8s.io/apimachinery api/validate/content, kube-openapi strfmt.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace berth::cel {

using Faults = std::vector<std::string>;

// Of RFC 1123: a label, labels with dots between them. Of RFC 1035: a label that starts with a letter.
[[nodiscard]] Faults dns_label_faults(std::string_view text);
[[nodiscard]] Faults dns_subdomain_faults(std::string_view text);
[[nodiscard]] Faults dns_1035_label_faults(std::string_view text);
// Of texts to which a suffix will be added, so that they may end with a dash.
[[nodiscard]] Faults dns_label_prefix_faults(std::string_view text);
[[nodiscard]] Faults dns_subdomain_prefix_faults(std::string_view text);
[[nodiscard]] Faults dns_1035_label_prefix_faults(std::string_view text);

// "example.com/name" or "name": keys of labels.
[[nodiscard]] Faults qualified_name_faults(std::string_view text);
[[nodiscard]] Faults label_value_faults(std::string_view text);

[[nodiscard]] Faults uri_faults(std::string_view text);
[[nodiscard]] Faults uuid_faults(std::string_view text);
// Base64 with padding, at least a group of four.
[[nodiscard]] Faults base64_faults(std::string_view text);
// "2006-01-02", from the year 0 on.
[[nodiscard]] Faults date_faults(std::string_view text);
// "2006-01-02T15:04:05.999+07:00", t and z in either case. What stands behind a second t is not looked at.
[[nodiscard]] Faults date_time_faults(std::string_view text);

}  // namespace berth::cel
