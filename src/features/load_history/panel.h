// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/kit/context.h"

/// Draws into the current ImGui window.
namespace tilestep::ui {

/// The loads of the block as its phases pass; call it only where the view has a story.
void drawStory(const Context& context, float height);

}  // namespace tilestep::ui
