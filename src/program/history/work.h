// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "program/history/ranges.h"
#include "program/order.h"
#include "program/place.h"

namespace tilestep::program {

/// Which bytes a piece of work uses. `plain`: an access with which no other may meet; `ordered`:
/// atomic and volatile accesses and those with a memory order, by which threads may speak to each
/// other.
struct Uses {
  Ranges plainReads, plainWrites, orderedReads, orderedWrites;
  /// Some ordered accesses are ones that the host can go by, to memory that both share.
  bool speaks = false;
  bool isKnown = true;  ///< False: there were too many ranges, and none is kept.

  [[nodiscard]] Ranges reads() const { return unite(plainReads, orderedReads); }
  [[nodiscard]] Ranges writes() const { return unite(plainWrites, orderedWrites); }
};

/// Work of the device for a program, and accesses of the host to shared memory.
enum class WorkKind : uint8_t { copy, fill, launch, host };

struct Work {
  WorkKind kind = WorkKind::copy;
  Ticket ticket;
  std::string what;  ///< "the launch of add", "cudaMemcpy".
  Place place;
  uint64_t where = 0;    ///< The call.
  uint64_t moment = 0;   ///< As that of calls and launches.
  size_t firstOpen = 0;  ///< Work before this number is over when this is issued.
  size_t launch = 0;     ///< Its number, where this is one.
  bool done = false;     ///< False: it was left out, since an earlier launch had failed.
  Uses uses;
  Ranges unset;      ///< Copies to the host: what they took of bytes that nobody ever set.
  uint8_t byte = 0;  ///< Fills: the value of each byte.
  bool fromHost = false, toHost = false;  ///< Copies: an end lies in the host's own memory.
  bool isZero = false;                    ///< Copies from or to the host: all bytes are 0.
};

}  // namespace tilestep::program
