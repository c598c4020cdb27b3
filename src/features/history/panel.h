// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/kit/context.h"

/// Draws into the current ImGui window.
namespace tilestep::ui {

void drawHistory(const Context& context, float height);

}  // namespace tilestep::ui
