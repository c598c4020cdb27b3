// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "program/history/ranges.h"
#include "program/order.h"
#include "program/place.h"

namespace tilestep::program {

/// The bytes that a piece of work uses. Plain accesses need an order with all other accesses.
/// Ordered accesses are atomic, volatile or have a memory order; threads may communicate by them.
struct Uses {
  Ranges plainReads, plainWrites, orderedReads, orderedWrites;
  /// Whether the host sees ordered accesses to shared memory, so that it can rely on them.
  bool speaks = false;
  bool isKnown = true;  ///< False if there were too many ranges, so that none are kept.

  [[nodiscard]] Ranges reads() const { return unite(plainReads, orderedReads); }
  [[nodiscard]] Ranges writes() const { return unite(plainWrites, orderedWrites); }
};

/// The device's work for a program, and the host's accesses to shared memory.
enum class WorkKind : uint8_t { copy, fill, launch, host };

struct Work {
  WorkKind kind = WorkKind::copy;
  Ticket ticket;
  std::string what;  ///< "the launch of add", "cudaMemcpy".
  Place place;
  uint64_t where = 0;    ///< The call's address.
  uint64_t moment = 0;   ///< In the numbering of calls and launches.
  size_t firstOpen = 0;  ///< All work before this index had ended when this work was issued.
  size_t launch = 0;     ///< The index of the launch, if the work is a launch.
  bool done = false;     ///< False if the work was skipped, because an earlier launch had failed.
  Uses uses;
  Ranges unset;      ///< For a copy to the host, the copied bytes that were never set.
  uint8_t byte = 0;  ///< For a fill, the value of each byte.
  bool fromHost = false, toHost = false;  ///< Whether a copy's end is in the host's own memory.
  bool isZero = false;  ///< For a copy from or to the host, whether all bytes are 0.
};

}  // namespace tilestep::program
