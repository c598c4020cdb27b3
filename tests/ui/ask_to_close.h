// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tilestep::tests {

/// Requests that a window close, like the close button on its frame. `display`: ":7"; `window`: its
/// X11 identifier. Fails the test if the display cannot be reached.
void askToClose(const std::string& display, unsigned long window);

}  // namespace tilestep::tests
