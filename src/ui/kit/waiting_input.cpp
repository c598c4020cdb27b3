// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/waiting_input.h"

#include <imgui.h>
#include <imgui_internal.h>

namespace tilestep::ui {

bool hasWaitingInput() {
#if IMGUI_VERSION_NUM >= 18700
  return ImGui::GetCurrentContext()->InputEventsQueue.Size > 0;
#else
  return false;
#endif
}

}  // namespace tilestep::ui
