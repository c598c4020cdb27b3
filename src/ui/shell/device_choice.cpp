// SPDX-License-Identifier: Apache-2.0
// The device list, and the choice of a recording when there is no GPU.
#include <algorithm>

#include "ui/kit/panels.h"
#include "ui/kit/widgets.h"

namespace tilestep::ui {

void drawDeviceItems(const Context& context) {
  if (ImGui::Selectable("automatic", context.snapshot.choice.device == "auto"))
    context.session.apply(model::command("choice.device", "auto"));
  for (const device::DeviceInfo& device : context.snapshot.devices) {
    const std::string label =
        device.name + "  (" +
        (device.recordedOn.empty() ? device.id : "recorded " + device.recordedOn) + ")##" +
        device.id;
    if (ImGui::Selectable(label.c_str(), device.id == context.snapshot.choice.device))
      context.session.apply(model::command("choice.device", device.id));
  }
}

void drawOpenRecording(const Context& context) {
  const auto& devices = context.snapshot.devices;
  const auto at =
      std::ranges::find_if(devices, [](const auto& one) { return !one.recordedOn.empty(); });
  if (at == devices.end()) return;
  if (ImGui::Button(("Use the recording of " + at->name).c_str()))
    context.session.apply(model::command("choice.device", at->id));
  tooltip(context, "Shows times that were measured on " + at->recordedOn +
                       ". The scene's steps still come from the interpreter.");
}

}  // namespace tilestep::ui
