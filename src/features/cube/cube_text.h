// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "features/cube/cube_step.h"
#include "features/names.h"
#include "model/export/table.h"

namespace tilestep::features {

/// "k = 4", "k = 4…7".
[[nodiscard]] std::string slabText(const CubeSlab& slab);
/// Describes the step: "Phase 0, k = 0…3: 64 multiply-adds, and the block loads 16 elements of M
/// and 16 of N: 4 multiply-adds for each loaded element." Does not read CubeStep::sentence.
[[nodiscard]] std::string cubeSentence(const CubeTrace& cube, const CubeStep& now,
                                       const TracedStep& step);
/// Multiply-adds per loaded element, as "8" or "7.5"; "–" if no element was loaded.
[[nodiscard]] std::string reuseText(std::optional<double> reuse);
/// A row for each phase and one for the whole block.
[[nodiscard]] Table cubeTable(const CubeTrace& cube, const TracedKernel& side);

}  // namespace tilestep::features
