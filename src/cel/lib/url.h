// URLs as Go's net/url (1.26) reads and writes them, which the API server's CEL library shows: absolute ones, or
// absolute paths.
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
  std::string text;    // the URL written anew: equal URLs have equal ones

  [[nodiscard]] std::string_view hostname() const;
  [[nodiscard]] std::string_view port() const;
  // Keys and values of the query, decoded, in order; pairs that cannot be decoded are left out, and all of them where
  // there are more than 10,000.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> parameters() const;
};

// What keeps it from being a URL as in the first line of an HTTP request, where a fragment is nothing special, in Go's
// words; why an address in brackets is none is not told further. Nothing if it is one. O(text).
[[nodiscard]] std::optional<std::string> request_uri_fault(std::string_view text);

// One without request_uri_fault(), with what comes behind # as its fragment. Nothing if it is none, or cannot be read
// so.
[[nodiscard]] std::optional<Url> parse_url(std::string_view text);

}  // namespace berth::cel
