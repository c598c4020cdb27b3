// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/launch.h"
#include "ptx/ir.h"
#include "simt/machine.h"

namespace tilestep::simt {

/// Where a warp stands.
struct BlockPlace {
  const Launch& launch;
  uint32_t sharedBytes;
  Dim3 block;     ///< Index in the grid.
  uint32_t warp;  ///< Index in the block.
};

[[nodiscard]] Dim3 threadAt(const Dim3& shape, uint32_t number);
[[nodiscard]] bool changesByBlock(ptx::SpecialRegister name);
/// Clocks are not here: the interpreter never invents a time.
[[nodiscard]] bool isKnown(ptx::SpecialRegister name);
void fillSpecialRow(uint8_t* row, ptx::SpecialRegister name, const BlockPlace& place);

}  // namespace tilestep::simt
