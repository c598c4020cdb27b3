// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "features/sweeps/sweep_view.h"

namespace tilestep::model {

/// What the picture says, in one sentence (a second one for what is missing): the best point with
/// its number, how much better it is than the worst or than the other kernel, why the axis ends.
/// Says nothing that the cells do not hold.
[[nodiscard]] std::string sweepStory(const SweepView& view);

}  // namespace tilestep::model
