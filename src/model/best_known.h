// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "compile/kernel.h"
#include "lab/experiment.h"
#include "model/machine.h"

namespace tilestep::model {

/// A measured run, in short.
struct TimedRun {
  std::string kernel;
  compile::Bindings sizes, tunables;
  double medianMs = 0;
  Machine machine;
  std::string day;  ///< Of a recording: "2026-11-21"; empty: since the window was opened.
};

/// The fastest runs that are known: those measured since the window was opened, and those that a
/// recording holds. The functions are for one thread.
class BestKnown {
 public:
  BestKnown() = default;
  ~BestKnown();  ///< Waits for a file that is being read.
  BestKnown(const BestKnown&) = delete;
  BestKnown& operator=(const BestKnown&) = delete;

  /// Keeps the fastest for each kernel, sizes and machine. Nothing without a measurement, or where
  /// anything is wrong.
  void take(const lab::RunResult& result);
  /// Reads the times of a recording, whose device has this id, on a thread of its own, each file
  /// once. One that cannot be read
  /// holds none: whoever uses it as a device is told why.
  void read(const std::string& file, const std::string& device);
  /// True once for each file whose times have come since the last call.
  bool arrived();

  /// The fastest at these sizes on any device of that name of the kernels that `counts`; nothing
  /// where none is known.
  [[nodiscard]] std::optional<TimedRun> fastest(
      const compile::Bindings& sizes, const std::string& deviceName,
      const std::function<bool(const std::string& kernel)>& counts) const;

 private:
  std::vector<TimedRun> runs_;
  std::vector<std::string> files_;  ///< That were read, or are being read.
  std::thread thread_;
  std::atomic<bool> done_{false};
  std::vector<TimedRun> read_;  ///< The thread's until `done_`.
};

}  // namespace tilestep::model
