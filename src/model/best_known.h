// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "compile/kernel.h"
#include "lab/experiment.h"
#include "model/machine.h"

namespace tilestep::model {

/// The time of one measured run, and what was run.
struct TimedRun {
  std::string kernel;
  compile::Bindings sizes, tunables;
  double medianMs = 0;
  Machine machine;
  /// The day of the recording: "2026-11-21"; empty for a run since the window was opened.
  std::string day;
};

/// A recording's device id, and a kernel that the recording holds times of.
using RecordedKernels = std::set<std::pair<std::string, std::string>>;

/// The known times: those measured since the window was opened, and those in recordings. The
/// functions are for one thread.
class BestKnown {
 public:
  BestKnown() = default;
  ~BestKnown();  ///< Waits until a file that is being read is finished.
  BestKnown(const BestKnown&) = delete;
  BestKnown& operator=(const BestKnown&) = delete;

  /// Keeps the fastest run for each kernel, sizes, tunables and machine. Ignores results that have
  /// no measurement or that report a problem.
  void take(const lab::RunResult& result);
  void take(TimedRun run);
  /// Reads the times of a recording on a background thread, each file once. `device`: the id of the
  /// recording's device. A file that cannot be read adds no times; its error is reported to whoever
  /// uses it as a device.
  void read(const std::string& file, const std::string& device);
  /// A file is being read, or has been and waits for arrived().
  [[nodiscard]] bool reading() const { return thread_.joinable(); }
  /// True once for each file whose times have arrived since the last call.
  bool arrived();

  /// The fastest run at these sizes on any device of that name, among the kernels that `counts`
  /// accepts; nothing where none is known.
  [[nodiscard]] std::optional<TimedRun> fastest(
      const compile::Bindings& sizes, const std::string& deviceName,
      const std::function<bool(const std::string& kernel)>& counts) const;
  /// All runs of a kernel at these sizes on any device of that name. The pointers are valid until
  /// the next call of take() or arrived().
  [[nodiscard]] std::vector<const TimedRun*> runsOf(const std::string& kernel,
                                                    const compile::Bindings& sizes,
                                                    const std::string& deviceName) const;
  /// The kernels of the recordings that were read.
  [[nodiscard]] const RecordedKernels& recorded() const { return recorded_; }

 private:
  /// Starts with the next file that waits, once the one before has arrived.
  void readNext();

  std::vector<TimedRun> runs_;
  RecordedKernels recorded_;
  std::vector<std::string> files_;  ///< Files that were read, are being read, or wait.
  std::vector<std::pair<std::string, std::string>> waiting_;  ///< Files with their devices.
  std::thread thread_;
  std::atomic<bool> done_{false};
  std::vector<TimedRun> read_;  ///< Belongs to the thread until `done_`.
};

}  // namespace tilestep::model
