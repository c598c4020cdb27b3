// SPDX-License-Identifier: Apache-2.0
#include "ui/panels.h"
#include "ui/widgets.h"

namespace tilestep::ui {

void drawTimeline(const Context& context) {
  hint(context, "No timeline yet.");
}

}  // namespace tilestep::ui
