// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/analysis/control_flow.h"
#include "ptx/ir.h"

namespace tilestep::ptx {

struct Loop {
  /// The only block through which threads enter; kNone if there are several (an irreducible loop).
  uint32_t header = kNone;
  std::vector<uint32_t> entries;  ///< All entry blocks, ascending.
  std::vector<uint32_t> blocks;   ///< Ascending, including those of inner loops.
  bool isInnermost = true;
};

/// All reachable loops; an outer loop precedes its inner loops. A loop is a strongly connected
/// component; its inner loops are the components that remain without the edges to its entries
/// (Ramalingam, Identifying Loops in Almost Linear Time).
[[nodiscard]] std::vector<Loop> loopsOf(const ControlFlow& flow);

/// The loop's instructions, ascending.
[[nodiscard]] std::vector<uint32_t> instructionsOf(const ControlFlow& flow, const Loop& loop);

/// The branches, ret and exit instructions through which threads leave the loop, ascending.
[[nodiscard]] std::vector<uint32_t> exitsOf(const Function& function, const ControlFlow& flow,
                                            const Loop& loop);

}  // namespace tilestep::ptx
