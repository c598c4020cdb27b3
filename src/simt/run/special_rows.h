// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/launch.h"
#include "ptx/ir.h"
#include "simt/machine.h"

namespace tilestep::simt {

struct BlockPlace {
  const Launch& launch;
  uint32_t sharedBytes;
  Dim3 block;              ///< Index in the grid.
  uint32_t warp;           ///< Index in the block.
  uint64_t workspace = 0;  ///< Address of a cooperative launch's workspace.
};

[[nodiscard]] Dim3 threadAt(const Dim3& shape, uint32_t number);
[[nodiscard]] bool changesByBlock(ptx::SpecialRegister name);
/// Whether this is %clock, %globaltimer or a part of them. These registers count the warp's
/// instructions, because the interpreter does not model time, and have no row.
[[nodiscard]] bool isClock(ptx::SpecialRegister name);
[[nodiscard]] bool isWideSpecial(ptx::SpecialRegister name);
[[nodiscard]] bool isKnown(ptx::SpecialRegister name);
void fillSpecialRow(uint8_t* row, ptx::SpecialRegister name, const BlockPlace& place);

}  // namespace tilestep::simt
