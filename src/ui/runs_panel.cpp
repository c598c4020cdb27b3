// SPDX-License-Identifier: Apache-2.0
#include "ui/panels.h"
#include "ui/widgets.h"

namespace tilestep::ui {

void drawRuns(const Context& context) {
  hint(context, "No pinned runs yet.");
}

}  // namespace tilestep::ui
