// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/kit/context.h"

/// Each fills the ImGui window that is open when it is called.
namespace tilestep::ui {

void drawRuns(const Context& context);

}  // namespace tilestep::ui
