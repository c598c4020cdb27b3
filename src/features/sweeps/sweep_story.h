// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "features/names.h"
#include "features/sweeps/sweep_view.h"

namespace tilestep::features {

/// Summarises the sweep in one sentence (and a second one about missing points): the best point
/// with its value, how much better it is than the worst or than the other kernel, and why the axis
/// ends. Uses nothing but the cells.
[[nodiscard]] std::string sweepStory(const SweepView& view);

}  // namespace tilestep::features
