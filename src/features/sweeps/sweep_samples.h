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
  std::optional<device::Measurement> time;  ///< The store keeps four times and the repetitions.
  std::optional<trace::Counters> counts;    ///< Of the whole grid. The store keeps kKeptCounts.
  /// The reason why a requested part is missing; empty if nothing is missing.
  std::string reason;
  // From the machine code, the timeline and the hardware counters. The store does not keep these.
  std::optional<uint32_t> registers, sharedBytes;
  /// Averages: resident warps over the maximum, and the share of a warp's cycles spent waiting at
  /// barriers.
  std::optional<double> achieved, waitShare;
  std::optional<device::HardwareCounters> hardware;  ///< Absent if the GPU refused them.
  std::string when;                                  ///< "2026-11-21"; empty if unknown.
  std::string on;        ///< The machine of a recorded point, "NVIDIA H200 no. 2"; otherwise empty.
  uint32_t machine = 0;  ///< The number of that machine in the recording; 0 if unknown.
  std::string by;        ///< Compiler and driver, in a few words.
};

/// By SweepPoint::key.
using SweepSamples = std::map<std::string, SweepSample>;

/// A count that the store keeps, with its name in files.
struct KeptCount {
  const char* name;
  uint64_t& (*of)(trace::Counters& counts);
};
extern const std::array<KeptCount, 10> kKeptCounts;

/// The sample of a result that arrived on `day`. A fault or a failed check gives a reason and no
/// figures.
[[nodiscard]] SweepSample sampleOf(const lab::RunResult& result, const std::string& day);
[[nodiscard]] SweepSample sampleOf(const lab::DeviceRecording& recording,
                                   const lab::RecordedPoint& point);

/// The recorded results for the plan's points; missing ones have a reason.
[[nodiscard]] SweepSamples recordedSamples(const SweepPlan& plan,
                                           const lab::DeviceRecording& recording);

/// Combines both; `newer` wins.
[[nodiscard]] SweepSample merged(const SweepSample& older, const SweepSample& newer);

/// A value of one point in the quantity's own unit (FLOP/s, seconds, bytes per FLOP, …).
struct SweepValue {
  double value = 0, low = 0, high = 0;
  bool spread = false;  ///< `low` and `high` are from p90 and p10 of the times.
};
/// Absent if the sample does not have the value, or if the kernel cannot have one. `quantity` must
/// not be automatic.
[[nodiscard]] std::optional<SweepValue> valueOf(SweepQuantity quantity, const SweepPoint& point,
                                                const SweepSample& sample);

/// Whether the quantity requires a timed run.
[[nodiscard]] bool needsTime(SweepQuantity quantity);
[[nodiscard]] bool lessIsBetter(SweepQuantity quantity);
/// The quantity that automatic selects in this plan.
[[nodiscard]] SweepQuantity resolved(SweepQuantity quantity, const SweepPlan& plan);
/// Whether the sample has what the quantity is computed from, or a reason why not.
[[nodiscard]] bool isAnswered(SweepQuantity quantity, const SweepSample& sample);

/// The quantity's name: "FLOP/s", "bytes asked by lanes per FLOP".
[[nodiscard]] std::string nameOf(SweepQuantity quantity, const SweepPlan& plan);
/// The title of its axis: "FLOP/s", "seconds, median".
[[nodiscard]] std::string axisOf(SweepQuantity quantity, const SweepPlan& plan);
/// "8.84 TFLOP/s", "0.25 B/FLOP".
[[nodiscard]] std::string textOf(SweepQuantity quantity, const SweepPlan& plan, double value);

}  // namespace tilestep::features
