// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/analysis/control_flow.h"
#include "ptx/ir.h"

namespace tilestep::ptx {

/// The paths of lanes that diverge at the end of one block.
struct Parting {
  /// The block where all lanes that stay in the function reconverge; kNone: none.
  uint32_t end = kNone;
  Bits ways;  ///< By block: some lanes may pass it before `end`.
  /// Blocks among `ways` that several of the directions reach, ascending. Lanes may meet there
  /// early. If one direction leads through the first block of another, both are one from there on.
  std::vector<uint32_t> early;
};

/// `end` is the immediate post-dominator of `block`. If only a return follows that, `end` is an
/// earlier block that all lanes reach except those that return without accessing memory.
[[nodiscard]] Parting partingAt(const Function& function, const ControlFlow& flow, uint32_t block);

}  // namespace tilestep::ptx
