// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compile/kernel.h"
#include "grade/hidden_launches.h"

namespace tilestep::grade {

/// Whether a launch's sizes are multiples of its blocks.
struct LaunchShape {
  /// No block and no named phase of the spec extends beyond a size.
  bool wholeBlocks = true;
  /// As wholeBlocks; in addition, sizes that determine neither blocks nor phases are multiples of
  /// each side of the block. An example is a product's k if no phases are named.
  bool wholeSizes = true;
  bool severalBlocks = false;
  bool operator==(const LaunchShape&) const = default;
};

/// The shape according to the spec's expressions. If they cannot be evaluated, the result says
/// whole blocks, so that no conclusion is drawn from the launch.
[[nodiscard]] LaunchShape shapeOf(const compile::KernelSpec& kernel, const HiddenLaunch& launch);

}  // namespace tilestep::grade
