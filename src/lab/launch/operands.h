// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "compile/kernel.h"
#include "device/captured.h"

namespace tilestep::lab {

/// The location of an operand in the launch's memory.
struct View {
  int range = -1;       ///< Index into CapturedLaunch::ranges; -1 if not in memory.
  uint64_t offset = 0;  ///< In bytes.
};

/// Describes a captured launch as a kernel with operands, as front matter would. Names, types and
/// shared arrays come from declarations in the source. Everything else is inferred, and
/// `spec.assumed` states from what: extents from allocations, rows and columns from two of the
/// launch's numbers with the right product, directions from the observed reads and writes. The
/// description does not affect execution, which uses the launch's own memory and parameters.
struct InferredLaunch {
  compile::KernelSpec spec;
  compile::Plan plan;
  std::vector<View> views;  ///< One per operand.
};

/// The launch must have passed checkCaptured().
[[nodiscard]] InferredLaunch inferLaunch(const device::CapturedLaunch& launch);

}  // namespace tilestep::lab
