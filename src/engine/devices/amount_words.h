// How keys of 32-bit words hold amounts.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/devices/model.h"

namespace berth::engine::devices {

// Appends all 128 bits, the lowest first.
inline void add_amount(std::vector<std::uint32_t>& words, Quantity amount) {
  for (int part = 0; part < 4; ++part) words.push_back(static_cast<std::uint32_t>(amount >> (32 * part)));
}

}  // namespace berth::engine::devices
