// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compile/kernel.h"
#include "grade/hidden_launches.h"

namespace tilestep::grade {

/// How a launch's sizes lie to its blocks.
struct LaunchShape {
  /// No block, and no phase that the spec names, reaches past a size.
  bool wholeBlocks = true;
  /// Nor is a size that decides neither of them, such as a product's k where no phases are named,
  /// anything but a multiple of each side of the block.
  bool wholeSizes = true;
  bool severalBlocks = false;
  bool operator==(const LaunchShape&) const = default;
};

/// What the spec's expressions say of the launch. Where they cannot be worked out, the launch
/// counts as one of whole blocks, so that nothing is concluded from it.
[[nodiscard]] LaunchShape shapeOf(const compile::KernelSpec& kernel, const HiddenLaunch& launch);

}  // namespace tilestep::grade
