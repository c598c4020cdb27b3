// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "features/names.h"
#include "features/sweeps/sweep_plan.h"
#include "lab/experiment.h"
#include "lab/recording/recording.h"

/// The results for a sweep's points.
namespace tilestep::features {

struct SweepSample {
  std::optional<device::Measurement> time;  ///< Kept: the four times and the repetitions.
  std::optional<trace::Counters> counts;    ///< Of the whole grid. Kept: those of kKeptCounts.
  /// The reason why a requested part is missing; empty: nothing is missing.
  std::string reason;
  // From the machine code, the timeline and the hardware counters; not kept.
  std::optional<uint32_t> registers, sharedBytes;
  /// Averages: resident warps over the maximum, and the share of a warp's cycles spent waiting at
  /// barriers.
  std::optional<double> achieved, waitShare;
  std::optional<device::HardwareCounters> hardware;  ///< Null if the GPU refused them.
  std::string when;                                  ///< "2026-11-21"; empty: unknown.
  /// For a recorded point: its machine, "NVIDIA H200 no. 2"; otherwise empty.
  std::string on;
  /// For a recorded point: the machine's number in the recording; 0: unknown.
  uint32_t machine = 0;
  std::string by;  ///< Compiler and driver, in a few words.
};

/// By SweepPoint::key.
using SweepSamples = std::map<std::string, SweepSample>;

/// A count that is kept, by its name in files.
struct KeptCount {
  const char* name;
  uint64_t& (*of)(trace::Counters& counts);
};
extern const std::array<KeptCount, 10> kKeptCounts;

/// Converts a result; `day`: when it arrived. Faults and failed checks give a reason and no
/// figures.
[[nodiscard]] SweepSample sampleOf(const lab::RunResult& result, const std::string& day);
[[nodiscard]] SweepSample sampleOf(const lab::DeviceRecording& recording,
                                   const lab::RecordedPoint& point);

/// The recorded results for the plan's points; missing ones have a reason.
[[nodiscard]] SweepSamples recordedSamples(const SweepPlan& plan,
                                           const lab::DeviceRecording& recording);

/// Combines both; `newer` wins.
[[nodiscard]] SweepSample merged(const SweepSample& older, const SweepSample& newer);

/// A value of one point with the limits of its spread, if it has one, in the quantity's own unit
/// (FLOP/s, seconds, bytes per FLOP, …).
struct SweepValue {
  double value = 0, low = 0, high = 0;
  bool spread = false;  ///< `low` and `high` are from p90 and p10 of the times.
};
/// Absent if the sample has no such value, or if it does not apply to the kernel. `quantity` must
/// not be automatic.
[[nodiscard]] std::optional<SweepValue> valueOf(SweepQuantity quantity, const SweepPoint& point,
                                                const SweepSample& sample);

/// Whether the quantity requires a timed run.
[[nodiscard]] bool needsTime(SweepQuantity quantity);
[[nodiscard]] bool lessIsBetter(SweepQuantity quantity);
/// The quantity that automatic selects in this plan.
[[nodiscard]] SweepQuantity resolved(SweepQuantity quantity, const SweepPlan& plan);
/// Whether the sample has the value, or the reason why not.
[[nodiscard]] bool isAnswered(SweepQuantity quantity, const SweepSample& sample);

/// The quantity's name for titles, where "GFLOP/s" alone would be only the unit: "bytes asked by
/// lanes each FLOP".
[[nodiscard]] std::string nameOf(SweepQuantity quantity, const SweepPlan& plan);
/// For an axis: "FLOP/s, median", "bytes asked by lanes / FLOP".
[[nodiscard]] std::string axisOf(SweepQuantity quantity, const SweepPlan& plan);
/// "8.84 TFLOP/s", "0.25 B/FLOP".
[[nodiscard]] std::string textOf(SweepQuantity quantity, const SweepPlan& plan, double value);

}  // namespace tilestep::features
