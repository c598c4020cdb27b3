// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "compile/kernel.h"
#include "features/names.h"

namespace tilestep::features {

/// A run whose values a lesson shows, with the arguments of `tilestep run KERNEL --json`. With
/// `ofShownDevice`, the device whose limits the window shows; nothing is run.
struct LessonRun {
  std::string name;  ///< The name within the lesson: "tiled" in "{tiled.launch.block.0}".
  std::string kernel;
  compile::Bindings sizes, tunables;  ///< Omitted names have the kernel's defaults.
  std::string recording;              ///< "nvidia-h200"; empty for a run in the interpreter.
  bool ofShownDevice = false;         ///< The values are those in device_values.h.

  [[nodiscard]] bool isInterpreted() const { return recording.empty() && !ofShownDevice; }
};

/// Limits on what a lesson's file may request, so that any file can be opened safely.
constexpr size_t kMostLessonRuns = 64;
/// The largest product of an interpreted run's sizes. Such a run takes a fraction of a second.
constexpr int64_t kMostInterpretedWork = int64_t{1} << 18;
constexpr int64_t kLargestRecordedSize = int64_t{1} << 31;

}  // namespace tilestep::features
