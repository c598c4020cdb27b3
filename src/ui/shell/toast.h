// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/kit/context.h"

namespace tilestep::ui {

/// The height that drawToast() needs for the newest notice below a stage of this width; 0 where
/// there is none to show. To be asked once in a frame, before anything lists the notices.
[[nodiscard]] float heightOfToast(const Context& context, float width);

}  // namespace tilestep::ui
