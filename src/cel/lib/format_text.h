// "%s has %d".format(["x", 3]): the clauses %s %d %f %e %b %o %x %X, with a precision for %f and %e.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "cel/eval_context.h"

namespace berth::cel {

// Writes values as the specification has it. What the first version of cel-go's library writes otherwise is a class
// derived from it (first_format.cc).
class Formatter {
 public:
  explicit Formatter(EvalContext& context) : context_(context) {}
  virtual ~Formatter() = default;
  Formatter(const Formatter&) = delete;
  Formatter& operator=(const Formatter&) = delete;

  Value run(std::string_view format, const List& arguments);

 protected:
  virtual void decimal(Value value);
  virtual void real(char verb, int precision, Value value);
  virtual void string(Value value, int depth);
  void wrong(std::string_view clause, Value value);

  EvalContext& context_;
  std::string out_;
  std::string error_;

 private:
  int read_precision(std::string_view& format);
  void clause(char verb, int precision, Value value);
  void binary(Value value);
  void octal(Value value);
  void hexadecimal(Value value, bool upper);
  void list(const List& list, int depth);
  void map(const Map& map, int depth);
};

constexpr int kDefaultPrecision = 6;
constexpr int kMaxFormatDepth = 64;

}  // namespace berth::cel
