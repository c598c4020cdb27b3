// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "features/exercises/view.h"
#include "features/names.h"
#include "ui/kit/context.h"

namespace tilestep::features {

/// The stage: the list of exercises, or the open one.
void drawExercises(const Context& context);

/// The output's elements as cells, to be clicked, at most `height` pixels high. Beside them, or
/// below where there is no room: how the chosen element came to its value, and what was read for
/// it, line by line. Nothing where the output is not known.
void drawOutput(const Context& context, const ExercisesView& view, float height);

}  // namespace tilestep::features
