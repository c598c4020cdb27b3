// SPDX-License-Identifier: Apache-2.0
#include "model/choice/scene_request.h"

#include <algorithm>

namespace tilestep::model {
namespace {

void chooseMeasured(const SceneRequest& request, const Devices& devices, Choice& choice) {
  if (request.measured > 0) {
    for (const char* name : {"m", "n", "k"}) choice.measure.values[name] = request.measured;
    choice.measure.linked = true;
  }
  if (request.device == SceneRequest::kInterpreter) choice.device = "simt";
  if (request.device == SceneRequest::kMeasured)
    choice.device = measuringDevice(devices, choice.device);
  if (request.roof == SceneRequest::kOwnRoof) choice.whatIf = false;
  if (request.roof.empty() || request.roof == SceneRequest::kOwnRoof) return;
  choice.roofDevice = request.roof;
  choice.whatIf = request.device == SceneRequest::kMeasured;
}

}  // namespace

void choose(const SceneRequest& request, const Devices& devices, Choice& choice) {
  if (!request.kernel.empty()) choice.kernel = request.kernel;
  if (request.othersByDefault) choice.tunables.clear();
  choice.tunables[choice.kernel] = request.tunables;
  choice.scene.values = request.sizes;
  const auto first = request.sizes.begin();
  choice.scene.linked = std::ranges::all_of(
      request.sizes, [&](const auto& size) { return size.second == first->second; });
  choice.block = request.block;
  choice.thread = request.thread;
  choice.withoutBarrier = request.withoutBarrier;
  choice.comparison = {request.comparison, {}, request.comparisonBlock};
  chooseMeasured(request, devices, choice);
  if (request.comparisonTunables.empty()) return;
  const std::string usual = "matmul_naive";
  choice.comparison
      .tunables[request.comparison == Comparison::kUsual ? usual : request.comparison] =
      request.comparisonTunables;
}

std::string measuringDevice(const Devices& devices, const std::string& now) {
  std::string recording;
  for (const device::DeviceInfo& device : devices) {
    if (!device.measures) continue;
    if (device.id == now) return now;
    if (device.recordedOn.empty()) return "auto";
    if (recording.empty()) recording = device.id;
  }
  return recording.empty() ? now : recording;
}

}  // namespace tilestep::model
