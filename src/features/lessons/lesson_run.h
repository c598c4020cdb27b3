// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "compile/kernel.h"

namespace tilestep::model {

/// A run whose values a lesson shows: what `tilestep run KERNEL --json` would be given.
struct LessonRun {
  std::string name;  ///< In the lesson: "tiled" of "{tiled.launch.block.0}".
  std::string kernel;
  compile::Bindings sizes, tunables;  ///< Missing names take the kernel's defaults.
  std::string recording;              ///< "nvidia-h200"; empty: run in the interpreter.
};

/// What a lesson's file may ask for at most, so that any file can be opened.
constexpr size_t kMostLessonRuns = 64;
/// The product of an interpreted run's sizes: a fraction of a second.
constexpr int64_t kMostInterpretedWork = int64_t{1} << 18;
constexpr int64_t kLargestRecordedSize = 65536;

}  // namespace tilestep::model
