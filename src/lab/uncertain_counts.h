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

/// Counts that the hardware may give differently, for one reason: see ptx/lanes/uncertain.h.
struct UncertainCounts {
  enum class Why : uint8_t { unrolled, waits, waited, meets, places, prints };
  Why why = Why::unrolled;
  uint32_t line = 0;  ///< Of the loop's end, of the place, the atomic or the printf; 0: not known.
  std::vector<std::string> counters;  ///< "global_load_requests", as in namedCounts; ascending.
  bool operator==(const UncertainCounts&) const = default;
};

/// By reason and line. Functions that are no entries are taken to be called. `branches`: those that
/// the launches came to; null where that is not known.
[[nodiscard]] std::vector<UncertainCounts> uncertainCountsOf(const ptx::Module& module,
                                                             const std::vector<Launch>& launches,
                                                             const trace::BranchLines* branches);

/// All counters of them, ascending, each once.
[[nodiscard]] std::vector<std::string> uncertainNames(
    const std::vector<UncertainCounts>& uncertain);

/// What the hardware does differently.
[[nodiscard]] std::string whyText(const UncertainCounts& counts);

}  // namespace tilestep::lab
