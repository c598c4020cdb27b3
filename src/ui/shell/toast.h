// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/kit/context.h"

namespace tilestep::ui {

/// The height that drawToast() needs for the newest notice below a stage of this width; 0 if there
/// is no such notice, or if the last frame already listed it.
[[nodiscard]] float heightOfToast(const Context& context, float width);
/// From the next frame on, new notices are shown for a while.
void startToast(const Context& context);

}  // namespace tilestep::ui
