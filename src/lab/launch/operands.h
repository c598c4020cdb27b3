// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "compile/kernel.h"
#include "device/captured.h"

namespace tilestep::lab {

/// Where an operand lies in the launch's memory.
struct View {
  int range = -1;       ///< Of CapturedLaunch::ranges; -1: it is no memory.
  uint64_t offset = 0;  ///< Bytes.
};

/// A captured launch as a kernel with operands, like one that has front matter: names and types as
/// the author's text declares them; extents of allocations; rows and columns where two of the
/// launch's numbers have that product; directions from what the launch read and wrote; shared
/// arrays as declared. All of it but the declarations is inferred, and `spec.assumed` says from
/// what. It describes the launch and decides nothing that runs: memory and parameters are the
/// launch's own.
struct InferredLaunch {
  compile::KernelSpec spec;
  compile::Plan plan;
  std::vector<View> views;  ///< By operand.
};

/// The launch must be one that checkCaptured takes.
[[nodiscard]] InferredLaunch inferLaunch(const device::CapturedLaunch& launch);

}  // namespace tilestep::lab
