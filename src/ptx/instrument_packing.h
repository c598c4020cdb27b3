// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "ptx/instrument_pattern.h"
#include "ptx/instrument_segments.h"

namespace tilestep::ptx {

/// The register that counts a column since the last barrier.
[[nodiscard]] std::string accumulator(uint32_t column);

/// What a barrier in a loop keeps of the epochs that ended at it: a run of epochs of one and the
/// same counts, `period` apart. Registers hold the counts packed, for comparing, and the epoch
/// that is due next; a thread's local memory holds the first epoch and the counts.
struct PackedRun {
  struct Field {
    uint32_t column = 0;
    uint32_t word = 0, shift = 0, bits = 0;
    bool mayOverflow = false;
  };
  std::string prefix;
  uint32_t period = 1;
  uint32_t words = 0;
  uint32_t local = 0;  ///< Byte offset of its local memory.
  std::vector<Field> fields;
  [[nodiscard]] std::string key(uint32_t word) const {
    return prefix + "_k" + std::to_string(word);
  }
  [[nodiscard]] std::string due() const { return prefix + "_due"; }
  [[nodiscard]] uint32_t localBytes() const {
    return 4 * (1 + static_cast<uint32_t>(fields.size()));
  }
};

/// The fields of the run that ends with `segment`: of `columns`, each wide enough for the most that
/// the segments since the last barrier add (`most`, by segment). Names, period and place are the
/// caller's to set.
[[nodiscard]] PackedRun packRun(const std::vector<Segment>& segments, uint32_t segment,
                                const std::vector<std::map<uint32_t, uint64_t>>& most,
                                const std::set<uint32_t>& columns);

/// Packs the counts into %tstep_e0, %tstep_e1, …; %tstep_q2 says whether they fit their fields.
void packCounts(Lines& out, const PackedRun& run);

}  // namespace tilestep::ptx
