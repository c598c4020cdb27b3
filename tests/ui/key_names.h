// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gfx/window.h"

namespace tilestep::tests {

/// The event that the window gets when a person presses the key of this name: a sign as it is typed
/// ("t", "T",
/// "]"), "space", "enter", "escape", "left" …, "pageup", "home", "F5"; before it "shift+", "ctrl+"
/// and "alt+" where they are held. Fails the test for any other name.
[[nodiscard]] std::vector<gfx::KeyEvent> keyEventsOf(const std::string& name);

}  // namespace tilestep::tests
