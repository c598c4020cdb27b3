// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "features/exercises/view.h"
#include "features/names.h"
#include "ui/kit/context.h"

namespace tilestep::features {

/// The stage: the list of exercises, or the open one.
void drawExercises(const Context& context);

/// The output's elements as clickable cells, at most `height` pixels high, and beside or below them
/// the history of the chosen element with the values read for it. Nothing if the output is unknown.
void drawOutput(const Context& context, const ExercisesView& view, float height);

}  // namespace tilestep::features
