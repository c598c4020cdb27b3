// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "program/history/ranges.h"
#include "program/order.h"
#include "program/place.h"

namespace tilestep::program {

/// The bytes that a piece of work uses. `plain`: accesses that must not meet any other; `ordered`:
/// atomic and volatile accesses and those with a memory order, by which threads may communicate.
struct Uses {
  Ranges plainReads, plainWrites, orderedReads, orderedWrites;
  /// Some ordered accesses are visible to the host in shared memory, so that it can rely on them.
  bool speaks = false;
  bool isKnown = true;  ///< False: there were too many ranges, and none is kept.

  [[nodiscard]] Ranges reads() const { return unite(plainReads, orderedReads); }
  [[nodiscard]] Ranges writes() const { return unite(plainWrites, orderedWrites); }
};

/// Work of the device for a program, and the host's accesses to shared memory.
enum class WorkKind : uint8_t { copy, fill, launch, host };

struct Work {
  WorkKind kind = WorkKind::copy;
  Ticket ticket;
  std::string what;  ///< "the launch of add", "cudaMemcpy".
  Place place;
  uint64_t where = 0;    ///< The call.
  uint64_t moment = 0;   ///< In the numbering of calls and launches.
  size_t firstOpen = 0;  ///< Work before this number has ended when this is issued.
  size_t launch = 0;     ///< The launch's number, if this is one.
  bool done = false;     ///< False: it was skipped, because an earlier launch had failed.
  Uses uses;
  Ranges unset;      ///< Copies to the host: the copied bytes that were never set.
  uint8_t byte = 0;  ///< Fills: the value of each byte.
  bool fromHost = false, toHost = false;  ///< Copies: one end is in the host's own memory.
  bool isZero = false;                    ///< Copies from or to the host: all bytes are 0.
};

}  // namespace tilestep::program
