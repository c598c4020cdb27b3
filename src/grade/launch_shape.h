// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compile/kernel.h"
#include "grade/hidden_launches.h"

namespace tilestep::grade {

/// Whether a launch's sizes are multiples of its blocks.
struct LaunchShape {
  /// No block, and no phase that the spec names, extends beyond a size.
  bool wholeBlocks = true;
  /// In addition, sizes that determine neither of them are multiples of each side of the block,
  /// such as a product's k if no phases are named.
  bool wholeSizes = true;
  bool severalBlocks = false;
  bool operator==(const LaunchShape&) const = default;
};

/// The shape according to the spec's expressions. If they cannot be evaluated, the launch counts as
/// one of whole blocks, so that no conclusion is drawn from it.
[[nodiscard]] LaunchShape shapeOf(const compile::KernelSpec& kernel, const HiddenLaunch& launch);

}  // namespace tilestep::grade
