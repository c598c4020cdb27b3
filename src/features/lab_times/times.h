// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "device/device.h"
#include "features/names.h"
#include "lab/experiment.h"
#include "model/files/lab_file.h"
#include "model/launch_prediction.h"

/// Predicted and measured times of a lab's kernels. Pure.
namespace tilestep::features {

/// A kernel of a lab, and its times at the lab's sizes.
struct LabTime {
  std::string name;                       ///< The kernel's name: "transpose_tiled".
  std::string kernel;                     ///< The label of its button: "16 × 32".
  std::string tunables;                   ///< "BLOCK_X 16, BLOCK_Y 32"; may be empty.
  std::string sizes;                      ///< "m = n = 4096"
  std::optional<double> measuredSeconds;  ///< The median, with warm caches.
  std::optional<double> predictedSeconds;
  std::string limit;  ///< The part that takes longest: "DRAM", "waiting"; may be empty.
  std::string on;     ///< "NVIDIA H200, recorded 2026-11-21"; empty without a measured time.
  std::string gap;  ///< A sentence that says why there is no measured time; empty if there is one.
  std::string quoted;      ///< The time quoted from a published text; may be empty.
  bool isComing = false;   ///< The time is being measured.
  uint64_t readBytes = 0;  ///< Bytes of its inputs, each read once; 0 without a measured time.
  std::optional<double> readCeiling;  ///< The measured DRAM read rate, in bytes per second.

  /// Measured ÷ predicted.
  [[nodiscard]] std::optional<double> ratio() const {
    if (!measuredSeconds || !predictedSeconds) return std::nullopt;
    return *measuredSeconds / *predictedSeconds;
  }
  /// Bytes of the inputs per second of measured time.
  [[nodiscard]] std::optional<double> readRate() const {
    if (!measuredSeconds) return std::nullopt;
    return static_cast<double>(readBytes) / *measuredSeconds;
  }
};

/// The kernel as in the lab's file, without times.
[[nodiscard]] LabTime labTimeOf(const LabKernel& kernel);

/// The kernel with the times and counts of `result`, whose trace is not needed. `work` belongs to
/// the same launch. `ceilings` are the measured ceilings of the device in use, or null; the
/// ceilings of a recorded point take precedence. predictedTime() makes the prediction.
[[nodiscard]] LabTime labTimeOf(const LabKernel& kernel, const lab::RunResult& result,
                                const std::optional<LaunchWork>& work,
                                const device::Ceilings* ceilings);

/// Explains the predictions and their limits.
[[nodiscard]] std::string predictionNote();

}  // namespace tilestep::features
