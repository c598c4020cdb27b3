// SPDX-License-Identifier: Apache-2.0
#include "ui/panels.h"
#include "ui/widgets.h"

namespace tilestep::ui {

void drawSweeps(const Context& context) {
  hint(context, "No sweep yet.");
}

}  // namespace tilestep::ui
