// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

namespace tilestep::cuda {

/// A GPU's power draw, read through the management library of NVIDIA's driver. The library is
/// opened at run time. For one thread.
class PowerMeter {
 public:
  /// For the GPU at this PCI address; null if the library is missing or fails.
  static std::unique_ptr<PowerMeter> open(const std::string& pciBusId);
  virtual ~PowerMeter() = default;
  /// The current power in watts if the GPU reports it, else its mean over the last second.
  virtual std::optional<double> watts() = 0;
};

}  // namespace tilestep::cuda
