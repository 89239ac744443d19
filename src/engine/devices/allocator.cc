#include "engine/devices/allocator.h"

#include "engine/devices/best.h"
#include "engine/devices/strict.h"

namespace berth::engine::devices {

Answer allocate(const Question& question) {
  return question.mode == Mode::kStrict ? allocate_strict(question) : allocate_best(question);
}

}  // namespace berth::engine::devices
