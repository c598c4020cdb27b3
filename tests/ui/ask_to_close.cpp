// SPDX-License-Identifier: Apache-2.0
#include "ui/ask_to_close.h"

#include <gtest/gtest.h>
// The macros of this header collide with other names, so nothing else is included after it.
#include <X11/Xlib.h>

namespace tilestep::tests {

void askToClose(const std::string& display, unsigned long window) {
  Display* const connection = XOpenDisplay(display.c_str());
  ASSERT_NE(connection, nullptr) << display;
  XEvent event = {};
  event.xclient.type = ClientMessage;
  event.xclient.window = window;
  event.xclient.message_type = XInternAtom(connection, "WM_PROTOCOLS", False);
  event.xclient.format = 32;
  event.xclient.data.l[0] = static_cast<long>(XInternAtom(connection, "WM_DELETE_WINDOW", False));
  EXPECT_NE(XSendEvent(connection, window, False, NoEventMask, &event), 0);
  XCloseDisplay(connection);
}

}  // namespace tilestep::tests
