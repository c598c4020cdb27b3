// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "compile/kernel.h"
#include "lab/experiment.h"

/// Measurements and counts of a GPU, point by point, stored for machines without one. A point is
/// one kernel at one choice of sizes and tunables; nothing is interpolated between points.
/// docs/recordings.md describes the file.
namespace tilestep::lab {

/// Counters by epoch, with repeated rows stored once. Each run appends the next `fresh` rows, then
/// `repeats` rows that each copy the row `back` rows before it.
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
/// Error: the runs do not fit the rows, or unpack to more than GridCounters::kMaxEpochs.
Result<std::vector<trace::Counters>> unpackEpochs(const PackedEpochs& packed);

struct RecordedCounters {
  trace::Counters total;
  PackedEpochs epochs;
  bool epochsTruncated = false;
  bool copies = false;  ///< Whether loads and stores include asynchronous copies.
  std::optional<double> price;
  bool operator==(const RecordedCounters&) const = default;
};

/// A GPU and its machine, at the time when it measured points.
struct RecordedMachine {
  std::string name;      ///< "NVIDIA H200"
  std::string identity;  ///< DeviceInfo::identity; empty if unknown.
  std::string driver;    ///< "580.159.04, CUDA 13.0"
  std::string began;     ///< When the recording first used it: "2026-11-21T12:30:00Z".
  std::optional<device::Ceilings> ceilings;  ///< Measured on this machine; absent if unknown.
};

struct RecordedPoint {
  uint32_t kernel = 0;   ///< Index into the recording's kernels.
  uint32_t machine = 0;  ///< One of the recording's machines, counted from 1; 0 if unknown.
  compile::Bindings sizes, tunables;
  uint64_t launchHash = 0;  ///< The launchHashOf() of the plan.
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
  std::string timelineNote;  ///< Why a requested timeline is missing.
  /// RunResult::timings; empty in older recordings, and for points without such timings.
  std::vector<device::NamedValue> timings;
};

struct RecordedKernel {
  std::string name;                          ///< "matmul_tiled"
  uint64_t codeHash = 0;                     ///< The codeHashOf() of its source.
  std::vector<std::string> sizes, tunables;  ///< The names of its sizes and tunables, ascending.
  bool operator==(const RecordedKernel&) const = default;
};

/// The recording of one GPU model, on one machine or several.
struct DeviceRecording {
  /// As the first GPU reported it; `recordedOn` is the day the recording began.
  device::DeviceInfo device;
  std::optional<device::Ceilings> ceilings;  ///< From the recording's first machine.
  std::vector<RecordedMachine> machines;     ///< Empty in files without machine names.
  CompilerInfo compiler;                     ///< Name, version and architecture.
  std::string program;                       ///< "tilestep 0.2.0"
  std::string method;                        ///< The measurement method, in a sentence.
  std::string began, ended;                  ///< "2026-11-21T12:30:00Z"
  uint64_t seed = 1;
  std::vector<RecordedKernel> kernels;
  std::vector<RecordedPoint> points;

  // Defined in recording.cpp, because inline definitions would be compiled in every file.
  DeviceRecording();
  DeviceRecording(const DeviceRecording& other);
  DeviceRecording(DeviceRecording&& other) noexcept;
  DeviceRecording& operator=(const DeviceRecording& other);
  DeviceRecording& operator=(DeviceRecording&& other) noexcept;
  ~DeviceRecording();
};

/// A hash of the code alone: whitespace and comments, including front matter, do not affect it.
[[nodiscard]] uint64_t codeHashOf(const compile::KernelSource& source);
/// A hash of the code and of the front matter that defines the launches for any sizes: blocks,
/// grids and operands.
[[nodiscard]] uint64_t programHashOf(const compile::KernelSource& source,
                                     const compile::KernelSpec& spec);
/// Whether the point belongs to this kernel, launched according to its front matter. `code` is the
/// codeHashOf() of the kernel's source.
[[nodiscard]] bool isPointOf(const DeviceRecording& recording, const RecordedPoint& point,
                             const compile::KernelSpec& spec, uint64_t code);
/// A hash of the launches and operands that result from front matter, sizes and tunables.
[[nodiscard]] uint64_t launchHashOf(const compile::Plan& plan);
/// The launchHashOf() of the plan for these values; nothing if it is illegal within `limits`.
[[nodiscard]] std::optional<uint64_t> launchHashOf(const compile::KernelSpec& spec,
                                                   const compile::Bindings& sizes,
                                                   const compile::Bindings& tunables,
                                                   const Limits& limits);

/// The recording's device, with the day and machine of `point`, or of the recording's beginning if
/// `point` is null.
[[nodiscard]] device::DeviceInfo deviceOf(const DeviceRecording& recording,
                                          const RecordedPoint* point);
/// The ceilings measured on the machine with this number. Null if they are unknown.
[[nodiscard]] const device::Ceilings* ceilingsOf(const DeviceRecording& recording,
                                                 uint32_t machine);

/// The recorded point for an experiment, or the nearest points.
struct Lookup {
  const RecordedPoint* point = nullptr;  ///< Lives as long as the recording.
  Nearest nearest;                       ///< Set if there is no point, or the point has no time.
  Nearest nearestTimeline;  ///< Set if there is no point, or the point has no timeline.
};

/// The nearest point is a point of this kernel with a time. Its distance is the number of doublings
/// between the values, summed over all sizes and tunables. A different value of a tunable with
/// named values counts as 64 doublings.
[[nodiscard]] Lookup lookUp(const DeviceRecording& recording, const compile::KernelSpec& spec,
                            uint64_t codeHash, const compile::Plan& plan, uint64_t seed);

/// "m 1024, n 1024, k 1024, TILE_WIDTH 16"
[[nodiscard]] std::string pointText(const compile::Bindings& sizes,
                                    const compile::Bindings& tunables);

/// "the recording has no point at …; nearest recorded point: …"
[[nodiscard]] std::string nearestText(const Nearest& nearest);

/// The point's counters in the form of a run's.
[[nodiscard]] trace::GridCounters gridCountersOf(const RecordedCounters& counters);

}  // namespace tilestep::lab
