// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/device.h"

namespace tilestep::lab {

/// What a device's name means. "cuda:7" where seven GPUs answer is found out when it is opened.
struct DeviceName {
  enum class Kind { simt, cuda } kind = Kind::simt;
  unsigned ordinal = 0;
};

/// "simt", "cuda:N"; "auto" is a GPU where `cudaCount` says that one answers, else simt.
/// `cudaCount` is not called for another name. Errors: kind request.
tilestep::Result<DeviceName> resolveDevice(const std::string& name, unsigned (*cudaCount)());

/// Devices, opened when first asked for and then kept. One thread.
class DevicePool {
 public:
  explicit DevicePool(unsigned interpreterThreads) : threads_(interpreterThreads) {}

  /// Valid as long as the pool. "auto" falls back to simt when the GPU does not open.
  tilestep::Result<device::Device*> open(const std::string& name);
  /// simt first, then each GPU that answers.
  std::vector<device::DeviceInfo> list();
  /// One of them is lost to this process.
  [[nodiscard]] bool anyLost() const;

 private:
  device::Device* simt();
  tilestep::Result<device::Device*> cuda(unsigned ordinal);

  unsigned threads_;
  std::unique_ptr<device::Device> simt_;
  std::map<unsigned, std::unique_ptr<device::Device>> cuda_;
};

}  // namespace tilestep::lab
