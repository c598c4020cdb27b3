// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

/// Whether this machine has a GPU to test with. Asked of the driver and of /dev by itself, so that
/// a mistake in Tilestep's GPU side cannot make its own tests skip.
namespace tilestep::support {

struct GpuFacts {
  bool driver = false;      ///< libcuda.so.1 is there.
  int started = 0;          ///< What cuInit answered; 0 is success.
  int devices = 0;          ///< What cuDeviceGetCount answered.
  bool deviceFile = false;  ///< This user may open /dev/nvidia0 or another GPU's file.
  bool hidden = false;      ///< CUDA_VISIBLE_DEVICES is set.
};

[[nodiscard]] GpuFacts gpuFacts();

/// Why there is no GPU, for a skipped test to print. Nothing where there is one: then a test that
/// cannot use it fails.
[[nodiscard]] std::optional<std::string> whyNoGpu(const GpuFacts& facts);
[[nodiscard]] std::optional<std::string> whyNoGpu();

}  // namespace tilestep::support
