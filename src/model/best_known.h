// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compile/kernel.h"
#include "lab/experiment.h"
#include "lab/recording/recording.h"
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
  /// The day of the recording, "2026-11-21"; empty for a run in this session.
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

/// Whether a run belongs to this kernel with its present source and front matter, on a device with
/// these limits.
[[nodiscard]] bool isRunOf(const TimedRun& run, const compile::CatalogueEntry& entry,
                           const Limits& limits);

using RecordingPointer = std::shared_ptr<const lab::DeviceRecording>;

/// The known times: those measured since the window was opened, and those in recordings, which are
/// read in the background. For one thread.
class BestKnown {
 public:
  /// Keeps the fastest run for each kernel's code, launch, sizes, tunables and machine. Ignores
  /// results that have no measurement or that report a problem. `entry` is the kernel that was run;
  /// null if it no longer exists, and then nothing is kept.
  void take(const lab::RunResult& result, const compile::CatalogueEntry* entry);
  void take(TimedRun run);
  /// Begins to read the recording that is this device, "recorded:NAME", unless that was done
  /// before. Other devices are ignored. `home` as findHome() returns it. An unreadable file adds no
  /// times; its error is reported when the worker uses the file as a device.
  void read(const std::string& home, const std::string& device);
  /// True if recordings have been read since the last call; their contents are known from then on.
  bool arrived();
  /// Whether a recording is being read, or waits for arrived().
  [[nodiscard]] bool reading() const;
  [[nodiscard]] bool isReading(const std::string& device) const;
  /// Null if the device is not a recording, or its file has not been read or cannot be read.
  [[nodiscard]] RecordingPointer recording(const std::string& device) const;

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
  struct Read {
    RecordingPointer recording;
    std::vector<TimedRun> runs;
  };
  struct Recording {
    std::future<Read> coming;  ///< Valid until arrived() has taken it. Its destructor waits.
    RecordingPointer recording;
  };

  std::vector<TimedRun> runs_;
  RecordedKernels recorded_;
  std::map<std::string, Recording> recordings_;  ///< By device.
};

}  // namespace tilestep::model
