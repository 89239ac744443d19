// Writer: how values leave berth. One interface for JSON text, YAML text and trees, so that each object is encoded
// once.
//
//   writer.begin_object();
//   writer.key("nodes");
//   writer.integer(8);
//   writer.end_object();
//
// Callers write what is well formed: a key before each member of an object, none in arrays, one value at the top.
#pragma once

#include <cstdint>
#include <string_view>

#include "text/value.h"

namespace berth::text {

class Writer {
 public:
  Writer() = default;
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  virtual ~Writer() = default;

  virtual void begin_object() = 0;
  virtual void end_object() = 0;
  virtual void begin_array() = 0;
  virtual void end_array() = 0;
  virtual void key(std::string_view name) = 0;
  virtual void null() = 0;
  virtual void boolean(bool value) = 0;
  // Text of the JSON grammar, written as it is.
  virtual void number(std::string_view text) = 0;
  virtual void string(std::string_view text) = 0;

  void integer(std::int64_t value);
  // The shortest text that reads back as the same double, in the manner of Go's encoding/json: 0.1, 1e+21. A double
  // that is not finite is written as null, which JSON has instead.
  void real(double value);
  void value(const Value& value);

  // A member in one call.
  void member(std::string_view name, std::string_view text) {
    key(name);
    string(text);
  }
  void member(std::string_view name, std::int64_t number) {
    key(name);
    integer(number);
  }
  void flag(std::string_view name, bool state) {
    key(name);
    boolean(state);
  }
};

}  // namespace berth::text
