// URLs: an absolute URL or an absolute path, split into its parts (RFC 3986, with what Go's net/url makes of it).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace berth::cel {

struct Url {
  std::string scheme;  // lower case
  std::string host;    // with the port, without user and password
  std::string path;    // as it is written in a request: percent-encoded
  std::string query;   // raw, without the question mark

  [[nodiscard]] std::string_view hostname() const;
  [[nodiscard]] std::string_view port() const;
  // Keys and values of the query, decoded, in order; pairs that cannot be decoded are left out.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> parameters() const;
};

[[nodiscard]] std::optional<Url> parse_url(std::string_view text);

}  // namespace berth::cel
