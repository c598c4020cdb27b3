// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/uio.h>

#include <cstdint>
#include <vector>

#include "guest/protocol.h"

namespace tilestep::guest {

/// The rows of a box in the host's memory, in the order of their transfer.
std::vector<iovec> rowsOf(uint64_t at, uint64_t pitch, uint64_t slice, const Copy& copy);

[[nodiscard]] inline bool isInSpan(uint64_t address) {
  return address - kSpanStart < kSpanBytes;
}

}  // namespace tilestep::guest
