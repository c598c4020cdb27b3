// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gfx/window.h"

namespace tilestep::tests {

/// The events of pressing the key of this name: a typed character ("t", "T", "]"), "space",
/// "enter", "escape", "left" …, "pageup", "home" or "F5", after "shift+", "ctrl+" and "alt+" for
/// held keys. Fails the test for any other name.
[[nodiscard]] std::vector<gfx::KeyEvent> keyEventsOf(const std::string& name);

}  // namespace tilestep::tests
