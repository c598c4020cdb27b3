// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/launch_ratios.h"
#include "model/scene/traced_kernel.h"
#include "trace/counters.h"

namespace tilestep::model {

/// The counts of two launches, side by side.
struct TrafficTable {
  std::string title;  ///< "phase 1, block (0, 0)"
  std::vector<Ratio> rows;
};

/// Bytes per element that the kernel loads; 0 if it loads several types.
[[nodiscard]] uint32_t loadedElementBytes(const compile::Plan& plan);
/// Elements that lanes request: a lane that loads 16 bytes at once requests four elements of 4
/// bytes. If `elementBytes` is 0, the number of lane loads.
[[nodiscard]] uint64_t elementLoads(const trace::GlobalCounts& loads, uint32_t elementBytes);

/// The counts of one launch or step. The objects pointed to must outlive it.
struct CountedSide {
  std::optional<trace::Counters> counters = {};  ///< Absent: unknown.
  uint32_t elementBytes = 0;                     ///< loadedElementBytes.
  /// Counters for which the hardware may count differently; null: none.
  const std::vector<lab::UncertainCounts>* uncertain = nullptr;
  /// The hardware's own counts of the same launch. They replace uncertain ones.
  const device::HardwareCounters* hardware = nullptr;
  bool loadsAreCounted = true;                ///< loadsAreCounted (model/roofline_marks.h).
  std::optional<double> slotReads = {};       ///< How often each element in shared memory is read.
  std::vector<trace::NamedCount> named = {};  ///< The counters; trafficOf fills it.
  double operations = 0;                      ///< Operations that the result requires; 0: unknown.
};
/// A step's counts. Asynchronous copies are among the loads, as in the counts of a grid; their
/// writes to shared memory are only in the counts of a grid.
[[nodiscard]] CountedSide sideOf(const trace::Tally& tally, const lab::RunResult& result);
/// A launch's counts. Only those of a whole grid are related to the operations that its result
/// requires.
[[nodiscard]] CountedSide sideOf(const lab::RunResult& result, bool isWholeGrid);

/// `own` compared with `base`. `origin` ends each row's hover text.
[[nodiscard]] TrafficTable trafficOf(std::string title, CountedSide base, CountedSide own,
                                     const std::string& origin);

/// "blocks of 16 × 16"
[[nodiscard]] std::string blocksText(const Dim3& block);

/// "naive in blocks of 16 × 16"; a whole grid may be compared with a different launch than the
/// scene's.
[[nodiscard]] std::string launchText(const lab::RunResult& result);

/// "m = n = k = 1024", or "m = 100, n = 61, k = 37".
[[nodiscard]] std::string sizesText(const compile::Bindings& sizes);

/// "counted by the interpreter, the whole launch of reduce neighbored, n = 64"
[[nodiscard]] std::string countedText(const TracedKernel& kernel);

}  // namespace tilestep::model
