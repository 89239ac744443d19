#include "cel/program.h"

#include <algorithm>

#include "cel/plan/access_nodes.h"
#include "cel/planner.h"

namespace berth::cel {

Program::Program(CheckedAst checked)
    : checked_(std::make_unique<const CheckedAst>(std::move(checked))), constants_(std::make_unique<Arena>()) {
  Planner planner(*checked_, *constants_);
  root_ = planner.plan();
  local_count_ = planner.local_count();
  bad_conversion_ = planner.bad_conversion();
}
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&&) noexcept = default;
Program::~Program() = default;

Value Program::evaluate(std::span<const Value> variables, EvalContext& context) const {
  Value* locals = nullptr;
  if (local_count_ > 0) {
    locals = context.arena().make_array<Value>(local_count_);
    std::fill_n(locals, local_count_, LazyNode::unset());
  }
  Frame frame{context, variables, locals};
  const Value result = root_->evaluate(frame);
  if (context.arena().exhausted()) context.cancel("operation cancelled: actual cost limit exceeded");
  return context.is_cancelled() ? context.cancelled() : result;
}

}  // namespace berth::cel
