// SPDX-License-Identifier: Apache-2.0
#include "device/device.h"

namespace tilestep::device {

DeviceInfo::DeviceInfo() = default;
DeviceInfo::DeviceInfo(const DeviceInfo& other) = default;
DeviceInfo::DeviceInfo(DeviceInfo&& other) noexcept = default;
DeviceInfo& DeviceInfo::operator=(const DeviceInfo& other) = default;
DeviceInfo& DeviceInfo::operator=(DeviceInfo&& other) noexcept = default;
DeviceInfo::~DeviceInfo() = default;

std::string machineText(const DeviceInfo& info) {
  if (info.machines < 2) return info.name;
  if (info.machine == 0) return info.name + " (machine unknown)";
  return info.name + " no. " + std::to_string(info.machine);
}

}  // namespace tilestep::device
