// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/launch.h"
#include "ptx/ir.h"
#include "trace/branch_lines.h"

namespace tilestep::lab {

struct RunResult;

/// Counts that may differ on hardware for one reason: see ptx/lanes/uncertain.h.
struct UncertainCounts {
  enum class Why : uint8_t { unrolled, waits, waited, meets, places, prints };
  Why why = Why::unrolled;
  /// The line of the loop's end, code, atomic operation or printf; 0 if unknown.
  uint32_t line = 0;
  std::vector<std::string> counters;  ///< "global_load_requests", as in namedCounts; ascending.
  bool operator==(const UncertainCounts&) const = default;
};

/// Sorted by reason and line. Functions that are not entries are assumed to be called. `branches`
/// are those that the launches reached; null if unknown.
[[nodiscard]] std::vector<UncertainCounts> uncertainCountsOf(const ptx::Module& module,
                                                             const std::vector<Launch>& launches,
                                                             const trace::BranchLines* branches);

/// The names of all their counters, ascending, without duplicates.
[[nodiscard]] std::vector<std::string> uncertainNames(
    const std::vector<UncertainCounts>& uncertain);

/// How the hardware's count differs, in sentences.
[[nodiscard]] std::string whyText(const UncertainCounts& counts);

}  // namespace tilestep::lab
