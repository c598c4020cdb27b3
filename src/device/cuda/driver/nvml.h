// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

namespace tilestep::cuda {

/// The management library of NVIDIA's driver, opened at run time: what the GPU draws. One thread.
class PowerMeter {
 public:
  /// For the GPU at this PCI address; nothing where the library is missing or refuses.
  static std::unique_ptr<PowerMeter> open(const std::string& pciBusId);
  virtual ~PowerMeter() = default;
  /// Watts now, where the GPU tells its instant draw, else its mean over the last second.
  virtual std::optional<double> watts() = 0;
};

}  // namespace tilestep::cuda
