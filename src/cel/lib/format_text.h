// "%s has %d".format(["x", 3]): the clauses %s %d %f %e %b %o %x %X, with a precision for %f and %e.
#pragma once

#include <string_view>

#include "cel/eval_context.h"

namespace berth::cel {

[[nodiscard]] Value format_text(std::string_view format, const List& arguments, EvalContext& context);

}  // namespace berth::cel
