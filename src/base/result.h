// Result<T>: the value of an operation, or the Error that says why there is none.
//
// Expected failures (bad input, a missing file, a limit) travel as values; exceptions never cross a
// berth interface. An Error is made once, where the cause is known, and gains its place (file,
// document, field) on the way up.
//
//   Result<Quantity> q = Quantity::parse("1.5Gi");
//   if (!q) return std::unexpected(q.error());
//   BERTH_TRY(auto memory, Quantity::parse(text));   // same thing, in one line
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace berth {

enum class ErrorCode : std::uint8_t {
  kInvalid,      // the input says something that cannot be
  kSyntax,       // the text is not JSON, YAML, CSV, ...
  kOverflow,     // an amount does not fit its exact integer
  kNotFound,     // a name that nothing carries
  kUnsupported,  // understood, but outside what berth does; the message says what to do instead
  kLimit,        // input larger or deeper than berth accepts
  kIo,           // the operating system refused
  kUsage,        // the command line
};

// Where in the user's input an error or a remark belongs. Empty and zero mean unknown.
struct Place {
  std::string file;           // as the user named it; "-" is standard input
  std::int32_t document = 0;  // 1-based number of the document in the file
  std::int32_t line = 0;      // 1-based
  std::int32_t column = 0;    // 1-based, in bytes
  std::string object;         // "Pod team-a/train-0"
  std::string field;          // "spec.containers[0].resources.limits[nvidia.com/gpu]"

  // "pods.yaml document 3 line 12: Pod team-a/train-0: spec.priority"; parts that are unknown are left out.
  [[nodiscard]] std::string to_string() const;
  bool operator==(const Place&) const = default;
};

struct Error {
  ErrorCode code = ErrorCode::kInvalid;
  std::string message;  // a complete sentence that says what to do next
  Place place;

  // Place and message on one line.
  [[nodiscard]] std::string to_string() const;
  bool operator==(const Error&) const = default;
};

template <class T>
using Result = std::expected<T, Error>;

[[nodiscard]] inline std::unexpected<Error> fail(ErrorCode code, std::string message) {
  return std::unexpected<Error>(Error{code, std::move(message), {}});
}
[[nodiscard]] inline std::unexpected<Error> fail(ErrorCode code, std::string message, Place place) {
  return std::unexpected<Error>(Error{code, std::move(message), std::move(place)});
}

}  // namespace berth

#define BERTH_CONCAT_INNER(a, b) a##b
#define BERTH_CONCAT(a, b) BERTH_CONCAT_INNER(a, b)

// BERTH_TRY(declaration, expression): declares the value, or returns the error to the caller.
#define BERTH_TRY(declaration, expression) BERTH_TRY_INNER(BERTH_CONCAT(berth_try_, __LINE__), declaration, expression)
#define BERTH_TRY_INNER(name, declaration, expression)        \
  auto name = (expression);                                   \
  if (!name) return std::unexpected(std::move(name).error()); \
  declaration = *std::move(name)  // NOLINT(bugprone-macro-parentheses)

// BERTH_TRY_VOID(expression): the same for Result<void>.
#define BERTH_TRY_VOID(expression)                               \
  do {                                                           \
    if (auto berth_try_void = (expression); !berth_try_void)     \
      return std::unexpected(std::move(berth_try_void).error()); \
  } while (false)
