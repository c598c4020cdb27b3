// SPDX-License-Identifier: Apache-2.0
// Known devices: whose roofs and limits are shown, and how full they would be.
#include <algorithm>
#include <utility>

#include "model/session.h"

namespace tilestep::model {
void Session::findKnownDevices() {
  std::vector<Error> errors;
  auto known = std::make_shared<std::vector<lab::DeviceFile>>(lab::readDeviceFiles(
      (std::filesystem::path(options_.home) / "assets" / "devices").string(), &errors));
  std::ranges::sort(*known, {}, &lab::DeviceFile::id);
  for (const lab::DeviceFile& file : *known) roofDevices_.push_back(file.id);
  known_ = std::move(known);
  for (const Error& error : errors) {
    const std::string name = error.where ? error.where->file : "a device's file";
    say({Notice::Kind::warning,
         "device file " + name,
         "A known device is left out, for its file is damaged: " + error.message + ".",
         error.where ? name + ":" + std::to_string(error.where->line) : name,
         {}});
  }
}

void Session::chooseRoofDevice(const std::string& id) {
  const device::DeviceInfo* device = resolved_->device;
  const bool here = device != nullptr && device->measures;
  change("roof", [&](Choice& choice) {
    choice.elsewhere = here && !id.empty();
    if (!id.empty()) choice.roofDevice = id;
  });
  endGesture();
}

void Session::stepRoofDevice(int by) {
  if (known_->empty()) return;
  const device::DeviceInfo* device = resolved_->device;
  const bool here = device != nullptr && device->measures;  // The device itself is one of them.
  const auto count = static_cast<ptrdiff_t>(known_->size()) + (here ? 1 : 0);
  const auto at = std::ranges::find(*known_, choice_.roofDevice, &lab::DeviceFile::id);
  ptrdiff_t index = at == known_->end() ? 0 : at - known_->begin();
  if (here) index = choice_.elsewhere ? index + 1 : 0;
  index = (index + by % count + count) % count;
  if (here && index == 0) return chooseRoofDevice({});
  chooseRoofDevice((*known_)[static_cast<size_t>(here ? index - 1 : index)].id);
}

void Session::assumeRegisters(uint32_t count) {
  change("registers", [&](Choice& choice) { choice.assumedRegisters = std::min(count, 255U); });
}

}  // namespace tilestep::model
