// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "features/sweeps/sweep_plan.h"
#include "lab/experiment.h"
#include "lab/recording/recording.h"

/// What is known of a sweep's points.
namespace tilestep::model {

struct SweepTime {
  double medianMs = 0, minMs = 0, p10Ms = 0, p90Ms = 0;
  uint32_t repetitions = 0;
  bool operator==(const SweepTime&) const = default;
};

/// Of the whole grid, as docs/architecture.md (Counts) defines them.
struct SweepCounts {
  uint64_t loadBytes = 0, storeThreads = 0;
  uint64_t loadRequests = 0, storeRequests = 0, loadSectors = 0, storeSectors = 0;
  uint64_t sharedLoadRequests = 0, sharedStoreRequests = 0;
  uint64_t sharedLoadWavefronts = 0, sharedStoreWavefronts = 0;
  bool operator==(const SweepCounts&) const = default;
};

/// By the GPU's own counters, of one launch.
struct SweepHardware {
  double sharedWavefronts = 0;  ///< Loads and stores.
  double l2Bytes = 0, dramBytes = 0;
  bool operator==(const SweepHardware&) const = default;
};

struct SweepSample {
  std::optional<SweepTime> time;
  std::optional<SweepCounts> counts;
  /// Why it has none of what was asked for; empty: nothing is missing.
  std::string reason;
  // Of the machine code, the timeline and the hardware's counters; not kept in files.
  std::optional<uint32_t> registers, sharedBytes;
  /// Resident warps over the most, and waiting at barriers over a warp's cycles, on average.
  std::optional<double> achieved, waitShare;
  std::optional<SweepHardware> hardware;
  std::string when;      ///< "2026-11-21"; empty: unknown.
  std::string on;        ///< Of a recorded point: its machine, "NVIDIA H200 no. 2"; else empty.
  uint32_t machine = 0;  ///< Likewise: its number in the recording; 0: not known.
  std::string by;        ///< Compiler and driver, in few words.
  bool operator==(const SweepSample&) const = default;
};

/// By SweepPoint::key.
using SweepSamples = std::map<std::string, SweepSample>;

[[nodiscard]] SweepCounts sweepCountsOf(const trace::Counters& total);

/// Of a result; `day`: when it came. Faults and failed checks are its reason, and no figures.
[[nodiscard]] SweepSample sampleOf(const lab::RunResult& result, const std::string& day);
[[nodiscard]] SweepSample sampleOf(const lab::DeviceRecording& recording,
                                   const lab::RecordedPoint& point);

/// What the recording holds of the plan's points; why it lacks others, as their reason.
[[nodiscard]] SweepSamples recordedSamples(const SweepPlan& plan,
                                           const lab::DeviceRecording& recording);

/// What is known of both; `newer` wins.
[[nodiscard]] SweepSample merged(const SweepSample& older, const SweepSample& newer);

/// A number of one point with the ends of its spread, where there is one, in the quantity's own
/// unit (FLOP/s, seconds, bytes each FLOP, …).
struct SweepValue {
  double value = 0, low = 0, high = 0;
  bool spread = false;  ///< `low` and `high` are from p90 and p10 of the times.
};
/// Nothing where the sample has no such number, or where the kernel does no such thing.
/// `quantity` is not automatic.
[[nodiscard]] std::optional<SweepValue> valueOf(SweepQuantity quantity, const SweepPoint& point,
                                                const SweepSample& sample);

/// What it needs of a run.
[[nodiscard]] bool needsTime(SweepQuantity quantity);
[[nodiscard]] bool lessIsBetter(SweepQuantity quantity);
/// What automatic stands for in this plan.
[[nodiscard]] SweepQuantity resolved(SweepQuantity quantity, const SweepPlan& plan);
/// The sample answers: it has the number, or says why it has not.
[[nodiscard]] bool isAnswered(SweepQuantity quantity, const SweepSample& sample);

/// "GFLOP/s" is said by its unit; this is what the number is, for titles: "bytes asked by lanes
/// each FLOP".
[[nodiscard]] std::string nameOf(SweepQuantity quantity, const SweepPlan& plan);
/// For an axis: "FLOP/s, median", "bytes asked by lanes / FLOP".
[[nodiscard]] std::string axisOf(SweepQuantity quantity, const SweepPlan& plan);
/// "8.84 TFLOP/s", "0.25 B/FLOP".
[[nodiscard]] std::string textOf(SweepQuantity quantity, const SweepPlan& plan, double value);

}  // namespace tilestep::model
