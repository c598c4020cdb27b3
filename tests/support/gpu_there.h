// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

/// Whether this machine has a GPU to test with. Queries the driver and /dev directly, so that a bug
/// in Tilestep's GPU code cannot make its own tests skip.
namespace tilestep::support {

struct GpuFacts {
  bool driver = false;      ///< libcuda.so.1 exists.
  int started = 0;          ///< The result of cuInit; 0 is success.
  int devices = 0;          ///< The result of cuDeviceGetCount.
  bool deviceFile = false;  ///< This user may open /dev/nvidia0 or another GPU's file.
  bool hidden = false;      ///< CUDA_VISIBLE_DEVICES is set.
};

[[nodiscard]] GpuFacts gpuFacts();

/// Why there is no GPU, for the message of a skipped test. Absent if there is a GPU; a test that
/// cannot use it then fails.
[[nodiscard]] std::optional<std::string> whyNoGpu(const GpuFacts& facts);
[[nodiscard]] std::optional<std::string> whyNoGpu();

}  // namespace tilestep::support
