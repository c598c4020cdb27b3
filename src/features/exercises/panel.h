// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "features/exercises/view.h"
#include "ui/kit/context.h"

namespace tilestep::ui {

/// The stage: the list of exercises, or the open one.
void drawExercises(const Context& context);

/// The output's elements as cells, to be clicked. They take the width that is there, and at most
/// `height` pixels. Nothing where the output is not known.
void drawOutputCells(const Context& context, const model::ExercisesView& view, float height);

/// How the chosen element came to its value: what is said of it, and what was read, line by line.
void drawStory(const Context& context, const model::ExercisesView& view);

}  // namespace tilestep::ui
