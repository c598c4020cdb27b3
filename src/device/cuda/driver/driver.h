// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "device/cuda/driver/cuda_api.h"
#include "device/device.h"

namespace tilestep::cuda {

/// The driver library, opened at run time and never closed, because it keeps its own threads.
class Driver {
 public:
  /// Opens libcuda.so.1 and initialises it; an Error says why no GPU can be used.
  static Result<std::shared_ptr<const Driver>> open();
  /// Uses the caller's entry points, for tests without a GPU.
  static std::shared_ptr<const Driver> over(const Api& api);

  [[nodiscard]] const Api& api() const { return api_; }
  /// "13.0": the newest CUDA version that this driver supports.
  [[nodiscard]] std::string version() const;
  /// 13000 for CUDA 13.0; 0 if unknown.
  [[nodiscard]] int versionNumber() const;
  [[nodiscard]] unsigned deviceCount() const;
  /// Success, or an Error "WHAT failed (the driver says: …)".
  [[nodiscard]] Status check(ApiResult result, const std::string& what) const;

 private:
  Driver() = default;
  Api api_{};
};

/// The description of GPU `ordinal`; its id is "cuda:N".
Result<device::DeviceInfo> readDeviceInfo(const Driver& driver, unsigned ordinal);

}  // namespace tilestep::cuda
