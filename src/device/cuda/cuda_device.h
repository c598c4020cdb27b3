// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "device/cuda/operands.h"
#include "device/device.h"

namespace tilestep::cuda {

/// One GPU. A kernel's fault costs the context, which the next job opens anew; a launch that
/// outlives its time limit costs the device until the process ends.
class CudaDevice : public device::Device {
 public:
  static Result<std::unique_ptr<device::Device>> open(unsigned ordinal);

  [[nodiscard]] const device::DeviceInfo& info() const override { return info_; }
  Result<device::Outcome> run(const device::Job& job, const device::Cancelled& cancelled) override;

 private:
  CudaDevice(std::shared_ptr<const Driver> driver, unsigned ordinal, device::DeviceInfo info);
  Status openContext();
  Result<device::Outcome> faulted(const device::Fault& fault);

  std::shared_ptr<const Driver> driver_;
  unsigned ordinal_;
  device::DeviceInfo info_;
  ContextPtr context_;
  FillCache fills_;
  bool isStuck_ = false;
};

}  // namespace tilestep::cuda
