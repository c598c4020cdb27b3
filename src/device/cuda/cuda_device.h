// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "device/cuda/counting/counting.h"
#include "device/cuda/driver/program.h"
#include "device/cuda/measure/measure.h"
#include "device/cuda/operands.h"
#include "device/device.h"

namespace tilestep::cuda {

/// One GPU. After a kernel's fault, or a launch that exceeds its time limit, this process can no
/// longer use the GPU, because the driver does not recover the context. Later jobs are rejected
/// with an Error that states this.
class CudaDevice : public device::Device {
 public:
  static Result<std::unique_ptr<device::Device>> open(unsigned ordinal);
  static Result<std::unique_ptr<device::Device>> open(std::shared_ptr<const Driver> driver,
                                                      unsigned ordinal);

  [[nodiscard]] const device::DeviceInfo& info() const override { return info_; }
  Result<device::Outcome> run(const device::Job& job, const device::Cancelled& cancelled) override;
  [[nodiscard]] device::HostMemory hostMemory(const device::Job& job) const override;
  Status live(const device::Job& job, const device::LiveOrder& order,
              const device::Cancelled& cancelled) override;
  [[nodiscard]] bool lost() const override { return !lost_.empty(); }

 private:
  CudaDevice(std::shared_ptr<const Driver> driver, unsigned ordinal, device::DeviceInfo info);
  Status useContext();
  Result<Operands> placeOperands(const device::Job& job, const std::string& names,
                                 const device::Stop& stop);
  Result<Program> loadProgram(const device::Job& job);
  Status attempt(const device::Job& job, const device::Cancelled& cancelled,
                 const std::string& names, device::Outcome& outcome);
  Status stream(const device::Job& job, const device::LiveOrder& order,
                const device::Cancelled& cancelled, const std::string& names);
  void lose();

  std::shared_ptr<const Driver> driver_;
  unsigned ordinal_;
  device::DeviceInfo info_;
  ContextPtr context_;
  FillCache fills_;
  std::shared_ptr<cublas::Handle> library_;  ///< Set once a library's product was requested.
  uint64_t tickNs_ = 0;  ///< Tick of the nanosecond clock; 0 if not measured yet.
  MeasureTools tools_;
  Classifier classifier_;
  std::string lost_;  ///< Why this process can no longer use the GPU; else empty.
};

}  // namespace tilestep::cuda
