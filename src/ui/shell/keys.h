// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gfx/window.h"
#include "ui/kit/context.h"

namespace tilestep::ui {

/// Acts on the keys of one frame. `typing`: a text field takes them. `walking`: the person walks
/// through the controls by keyboard (after Tab), so Space and arrows belong to the controls.
/// Returns whether the person walks through the controls now.
bool handleKeys(const std::vector<gfx::KeyEvent>& keys, model::Session& session, UiState& ui,
                bool typing, bool walking);

}  // namespace tilestep::ui
