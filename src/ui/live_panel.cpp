// SPDX-License-Identifier: Apache-2.0
#include "ui/panels.h"
#include "ui/widgets.h"

namespace tilestep::ui {

void drawLive(const Context& context) {
  hint(context, "Nothing runs again and again yet.");
}

}  // namespace tilestep::ui
