// Why room is kept for a workload.
#pragma once

#include <cstdint>

namespace berth::engine {

enum class HoldReason : std::uint8_t {
  kRunTimes,     // by declared run times it starts there at a date
  kLostMembers,  // it lost members, whose places these are
  kWaitingTime,  // it has waited as long as it may
  kOvertaken,    // it would run if nobody that comes after it had taken room
  kStrictQueue,  // it waits in front of a queue in which nobody passes; no room is held
};

}  // namespace berth::engine
