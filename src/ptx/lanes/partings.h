// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/analysis/control_flow.h"
#include "ptx/ir.h"

namespace tilestep::ptx {

/// What becomes of lanes that leave one block in different directions.
struct Parting {
  /// The block where all of them meet that do not leave the function; kNone: none.
  uint32_t end = kNone;
  Bits ways;  ///< By block: some lanes may pass it before `end`.
  /// Blocks among `ways` to which several of the directions lead, ascending. Lanes may meet there
  /// early. Where one direction leads through the first block of another, both are one from there.
  std::vector<uint32_t> early;
};

/// `end` is the immediate post-dominator of `block`. If nothing follows that but a return, it is an
/// earlier block that all lanes come to but those that return without touching memory.
[[nodiscard]] Parting partingAt(const Function& function, const ControlFlow& flow, uint32_t block);

}  // namespace tilestep::ptx
