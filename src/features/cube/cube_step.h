// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "features/cube/cube_faces.h"
#include "features/cube/cube_trace.h"
#include "features/names.h"

namespace tilestep::features {

/// Adjacent elements of one row of M, N or P that were loaded or stored.
struct CubeRun {
  uint32_t row = 0, column = 0, count = 1;
  bool now = false;  ///< True if accessed in the present step, false if earlier.
};

/// A range of k.
struct CubeSlab {
  uint32_t first = 0, last = 0;  ///< Inclusive.
};

/// The cube at one step. Immutable.
struct CubeStep {
  bool separate = true;              ///< `faces` are individual points; otherwise visible sides.
  std::vector<CubeFace> faces;       ///< From the farthest to the nearest.
  std::vector<CubeRun> left, right;  ///< Loaded elements of M and of N.
  std::vector<CubeRun> product;      ///< Stored elements of P.
  std::optional<size_t> phase;       ///< Index in CubeTrace::phases; absent outside of phases.
  std::optional<CubeSlab> slab;      ///< The range of k of that phase's multiply-adds.
  std::optional<CubeSlab> nowSlab;   ///< The range of k of this step's multiply-adds.
  uint64_t done = 0, now = 0;        ///< Multiply-adds so far, and those of this step.
  LoadSums loads, loadsNow;          ///< Elements loaded so far, and in this step.
  std::string sentence;              ///< Describes the step.
};
[[nodiscard]] CubeStep cubeStepOf(const CubeTrace& cube, const TracedStep& step);

/// Multiply-adds per loaded element of one matrix: the number of points divided by the size of
/// their projection. Absent if no element was loaded.
[[nodiscard]] std::optional<double> reuseOf(uint64_t points, uint64_t loads);

}  // namespace tilestep::features
