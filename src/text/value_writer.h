// ValueWriter: builds a tree. Strings are copied, so the Document stands alone.
#pragma once

#include <vector>

#include "text/value.h"
#include "text/writer.h"

namespace berth::text {

class ValueWriter final : public Writer {
 public:
  ValueWriter() : builder_(arena_) {}

  void begin_object() override { marks_.push_back(builder_.mark()); }
  void end_object() override;
  void begin_array() override { marks_.push_back(builder_.mark()); }
  void end_array() override;
  void key(std::string_view name) override { string(name); }
  void null() override { builder_.push(Value::null()); }
  void boolean(bool value) override { builder_.push(Value::boolean(value)); }
  void number(std::string_view text) override { builder_.push(Value::number(arena_.copy(text))); }
  void string(std::string_view text) override { builder_.push(Value::string(arena_.copy(text))); }

  // The value written; the writer is spent afterwards.
  [[nodiscard]] Document finish() && { return Document(std::move(arena_), builder_.pending(0)); }

 private:
  Arena arena_;
  ValueBuilder builder_;
  std::vector<std::size_t> marks_;
};

inline void ValueWriter::end_object() {
  const std::size_t mark = marks_.back();
  marks_.pop_back();
  builder_.push(builder_.take_object(mark, {}));
}

inline void ValueWriter::end_array() {
  const std::size_t mark = marks_.back();
  marks_.pop_back();
  builder_.push(builder_.take_array(mark, {}));
}

}  // namespace berth::text
