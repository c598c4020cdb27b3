// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/analysis/control_flow.h"
#include "ptx/ir.h"

namespace tilestep::ptx {

struct Loop {
  /// The only block by which threads enter; kNone where there are several (an irreducible loop).
  uint32_t header = kNone;
  std::vector<uint32_t> entries;  ///< All of them, ascending.
  std::vector<uint32_t> blocks;   ///< Ascending; those of inner loops among them.
  bool isInnermost = true;
};

/// All loops that threads can enter, each before the loops inside it.
/// Source: Ramalingam, Identifying Loops in Almost Linear Time, for the definition by removing the
/// edges to a header; strong components are computed anew for each level.
[[nodiscard]] std::vector<Loop> loopsOf(const ControlFlow& flow);

/// The loop's instructions, ascending.
[[nodiscard]] std::vector<uint32_t> instructionsOf(const ControlFlow& flow, const Loop& loop);

/// The branches and guarded exits by which threads leave it, ascending.
[[nodiscard]] std::vector<uint32_t> exitsOf(const Function& function, const ControlFlow& flow,
                                            const Loop& loop);

}  // namespace tilestep::ptx
