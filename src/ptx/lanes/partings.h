// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/analysis/control_flow.h"
#include "ptx/ir.h"

namespace tilestep::ptx {

/// The paths of lanes that diverge at the end of one block.
struct Parting {
  /// The block where all lanes that remain in the function reconverge; kNone if there is none.
  uint32_t end = kNone;
  Bits ways;  ///< For each block, whether lanes may pass it before `end`.
  /// Blocks in `ways` to which several directions of the branch lead, ascending. Lanes may meet
  /// there early. If one direction leads to another's first block, they count as one from there on.
  std::vector<uint32_t> early;
};

/// `end` is the immediate post-dominator of `block`. If there is none, or it only returns, `end` is
/// an earlier block, if there is one, that all lanes reach except lanes that return without
/// accessing memory.
[[nodiscard]] Parting partingAt(const Function& function, const ControlFlow& flow, uint32_t block);

}  // namespace tilestep::ptx
