// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "compile/kernel.h"
#include "lab/experiment.h"
#include "model/machine.h"

namespace tilestep::model {

/// The time of one measured run, and the launch that was run.
struct TimedRun {
  std::string kernel;
  uint64_t code = 0;    ///< lab::codeHashOf the source.
  uint64_t launch = 0;  ///< lab::launchHashOf the plan.
  compile::Bindings sizes, tunables;
  double medianMs = 0;
  Machine machine;
  /// The day of the recording: "2026-11-21"; empty for a run in this session.
  std::string day;
};

/// A kernel for which a recording has times.
struct RecordedCode {
  std::string device;  ///< The recording's device id.
  std::string kernel;
  uint64_t code = 0;  ///< lab::codeHashOf the source that was recorded.
  auto operator<=>(const RecordedCode&) const = default;
};
using RecordedKernels = std::set<RecordedCode>;

/// Whether a run belongs to this kernel with its present source and front matter, so that its time
/// is the kernel's own. `limits`: of the device.
[[nodiscard]] bool isRunOf(const TimedRun& run, const compile::CatalogueEntry& entry,
                           const Limits& limits);

/// The known times: those measured since the window was opened, and those in recordings. One
/// thread.
class BestKnown {
 public:
  BestKnown() = default;
  ~BestKnown();  ///< Waits for the file that is being read.
  BestKnown(const BestKnown&) = delete;
  BestKnown& operator=(const BestKnown&) = delete;

  /// Keeps the fastest run for each kernel's code, launch, sizes, tunables and machine. Ignores
  /// results that have no measurement or that report a problem. `entry`: the kernel that was run;
  /// null: it no longer exists, and nothing is kept.
  void take(const lab::RunResult& result, const compile::CatalogueEntry* entry);
  void take(TimedRun run);
  /// Reads the times of a recording on a background thread, each file once. `device`: the id of the
  /// recording's device. An unreadable file adds no times; its error is reported when the file is
  /// used as a device.
  void read(const std::string& file, const std::string& device);
  /// A file is being read, or its times wait for arrived().
  [[nodiscard]] bool reading() const { return thread_.joinable(); }
  /// True once for each file whose times have arrived since the last call.
  bool arrived();

  /// The fastest run at these sizes on any device of that name, among those that `counts` accepts;
  /// absent if none is known.
  [[nodiscard]] std::optional<TimedRun> fastest(
      const compile::Bindings& sizes, const std::string& deviceName,
      const std::function<bool(const TimedRun& run)>& counts) const;
  /// All runs of a kernel at these sizes on any device of that name. The pointers are valid until
  /// the next call of take() or arrived().
  [[nodiscard]] std::vector<const TimedRun*> runsOf(const compile::CatalogueEntry& entry,
                                                    const compile::Bindings& sizes,
                                                    const device::DeviceInfo& device) const;
  /// The kernels of the recordings that were read.
  [[nodiscard]] const RecordedKernels& recorded() const { return recorded_; }

 private:
  /// Starts reading the next waiting file, once the previous one has arrived.
  void readNext();

  std::vector<TimedRun> runs_;
  RecordedKernels recorded_;
  std::vector<std::string> files_;  ///< Files that were read, are being read, or wait.
  struct Waiting {
    std::string file, device;
  };
  std::vector<Waiting> waiting_;
  std::thread thread_;
  std::atomic<bool> done_{false};
  std::vector<TimedRun> read_;  ///< Owned by the thread until `done_`.
};

}  // namespace tilestep::model
