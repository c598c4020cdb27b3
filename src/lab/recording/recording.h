// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "compile/kernel.h"
#include "lab/experiment.h"

/// What a GPU measured and counted, point by point, kept for machines that have none. A point is
/// one kernel at one choice of sizes and tunables; nothing is ever worked out between points. The
/// file is docs/recordings.md.
namespace tilestep::lab {

/// Counters by epoch, with repetitions stored once: `fresh` rows are taken as they are, then
/// `repeats` times the row that lies `back` rows before is copied.
struct PackedEpochs {
  struct Run {
    uint32_t fresh = 0, back = 1, repeats = 0;
    bool operator==(const Run&) const = default;
  };
  std::vector<trace::Counters> rows;
  std::vector<Run> runs;
  bool operator==(const PackedEpochs&) const = default;
};
[[nodiscard]] PackedEpochs packEpochs(const std::vector<trace::Counters>& epochs);
/// An Error where the runs do not fit the rows, or make more than GridCounters::kMaxEpochs.
Result<std::vector<trace::Counters>> unpackEpochs(const PackedEpochs& packed);

struct RecordedCounters {
  trace::Counters total;
  PackedEpochs epochs;
  bool epochsTruncated = false;
  bool copies = false;  ///< Asynchronous copies are among the loads and stores.
  std::optional<double> price;
  bool operator==(const RecordedCounters&) const = default;
};

/// A GPU in its machine, as it was while points were taken on it.
struct RecordedMachine {
  std::string name;      ///< "NVIDIA H200"
  std::string identity;  ///< DeviceInfo::identity; empty: not known.
  std::string driver;    ///< "580.159.04, CUDA 13.0"
  std::string began;     ///< When it was first used for the recording: "2026-11-21T12:30:00Z".
  std::optional<device::Ceilings> ceilings;  ///< Measured on it; absent: not known.
};

struct RecordedPoint {
  uint32_t kernel = 0;   ///< Index into the recording's kernels.
  uint32_t machine = 0;  ///< Which of the recording's machines, counted from 1; 0: not known.
  compile::Bindings sizes, tunables;
  uint64_t launchHash = 0;  ///< launchHashOf the plan.
  uint64_t outputHash = 0;  ///< Hash of the plain kernel's outputs.
  int64_t unixSeconds = 0;  ///< When it was recorded.
  double compileMs = 0;
  uint32_t sharedBytes = 0;
  std::optional<uint32_t> registers, localBytes;
  std::optional<device::MachineFacts> machineCode;
  std::optional<device::Measurement> measurement;
  std::optional<RecordedCounters> counters;
  std::optional<device::HardwareCounters> hardware;
  std::optional<trace::Timeline> timeline;
  std::string timelineNote;  ///< Why there is none, where one was asked for.
  /// RunResult::timings; empty in older recordings, and of points that no lab times in this way.
  std::vector<device::NamedValue> timings;
};

struct RecordedKernel {
  std::string name;                          ///< "matmul_tiled"
  uint64_t codeHash = 0;                     ///< codeHashOf its source.
  std::vector<std::string> sizes, tunables;  ///< Their names, ascending.
  bool operator==(const RecordedKernel&) const = default;
};

/// The recording of one kind of GPU, on one machine or on several.
struct DeviceRecording {
  /// As the first GPU said it of itself; `recordedOn` is the day it began.
  device::DeviceInfo device;
  std::optional<device::Ceilings> ceilings;  ///< Those of the machine on which it began.
  std::vector<RecordedMachine> machines;     ///< Empty in files that do not name them.
  CompilerInfo compiler;                     ///< Name, version and architecture.
  std::string program;                       ///< "tilestep 0.2.0"
  std::string method;                        ///< How it was measured, in a sentence.
  std::string began, ended;                  ///< "2026-11-21T12:30:00Z"
  uint64_t seed = 1;
  std::vector<RecordedKernel> kernels;
  std::vector<RecordedPoint> points;

  // In recording.cpp alone: inline they would be compiled into every file that holds one.
  DeviceRecording();
  DeviceRecording(const DeviceRecording& other);
  DeviceRecording(DeviceRecording&& other) noexcept;
  DeviceRecording& operator=(const DeviceRecording& other);
  DeviceRecording& operator=(DeviceRecording&& other) noexcept;
  ~DeviceRecording();
};

/// A hash of the program only. Blanks and comments, including front matter, do not change it.
[[nodiscard]] uint64_t codeHashOf(const compile::KernelSource& source);
/// The same, and of what the front matter launches it with, at whatever sizes: blocks, grids and
/// operands.
[[nodiscard]] uint64_t programHashOf(const compile::KernelSource& source,
                                     const compile::KernelSpec& spec);
/// Whether the point is one of this kernel, launched as its front matter says. `code`: codeHashOf
/// its source.
[[nodiscard]] bool isPointOf(const DeviceRecording& recording, const RecordedPoint& point,
                             const compile::KernelSpec& spec, uint64_t code);
/// A hash of the launches and operands that front matter gives for the sizes and tunables.
[[nodiscard]] uint64_t launchHashOf(const compile::Plan& plan);
/// Nothing: the front matter allows no such launch on a device with these limits.
[[nodiscard]] std::optional<uint64_t> launchHashOf(const compile::KernelSpec& spec,
                                                   const compile::Bindings& sizes,
                                                   const compile::Bindings& tunables,
                                                   const Limits& limits);

/// The recording's device as it was for this point: with the day and the machine that took it.
/// Null: as it was when the recording began.
[[nodiscard]] device::DeviceInfo deviceOf(const DeviceRecording& recording,
                                          const RecordedPoint* point);
/// The ceilings measured on the machine of that number. Null if the machine or its ceilings are not
/// known.
[[nodiscard]] const device::Ceilings* ceilingsOf(const DeviceRecording& recording,
                                                 uint32_t machine);

/// The point that a recording has for an experiment, or what it has instead.
struct Lookup {
  const RecordedPoint* point = nullptr;  ///< Lives as long as the recording.
  Nearest nearest;                       ///< Where there is no point, or the point has no time.
  Nearest nearestTimeline;               ///< Where there is no point, or the point has no timeline.
};

/// Nearest is the point of this kernel with a time whose sizes and tunables are the fewest
/// doublings away, summed over all of them; another value of a tunable whose values have names
/// counts as 64.
[[nodiscard]] Lookup lookUp(const DeviceRecording& recording, const compile::KernelSpec& spec,
                            uint64_t codeHash, const compile::Plan& plan, uint64_t seed);

/// "m 1024, n 1024, k 1024, TILE_WIDTH 16"
[[nodiscard]] std::string pointText(const compile::Bindings& sizes,
                                    const compile::Bindings& tunables);

/// "the recording has no point at …; nearest recorded point: …"
[[nodiscard]] std::string nearestText(const Nearest& nearest);

/// The point's counters as a run has them.
[[nodiscard]] trace::GridCounters gridCountersOf(const RecordedCounters& counters);

}  // namespace tilestep::lab
