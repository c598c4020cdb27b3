// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/kit/context.h"

/// Fills the current ImGui window.
namespace tilestep::ui {

void drawRuns(const Context& context);

}  // namespace tilestep::ui
