// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "features/names.h"
#include "ui/kit/context.h"

namespace tilestep::features {

/// The sliders, the launch that they make, and the best known values. For a program's launch: what
/// it asks for, and what was inferred.
void drawTunables(const Context& context);
/// The sliders alone.
void drawFewTunables(const Context& context);
/// The slider of a presentation (ui/kit/tunable_slider.h); nothing without tunables.
void drawPresentedTunable(const Context& context);

}  // namespace tilestep::features
