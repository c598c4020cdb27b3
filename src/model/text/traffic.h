// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/figure.h"
#include "model/scene/traced_kernel.h"
#include "trace/counters.h"

namespace tilestep::model {

/// One row of the traffic table; unknown figures are absent.
struct TrafficRow {
  std::string name;
  std::optional<double> companion, main;
  Unit unit = Unit::count;
  std::string hover;  ///< Definition, other tools' names for it, origin, and why it is uncertain.
  /// The hardware may count otherwise, and its own count is not known.
  bool companionIsUncertain = false, mainIsUncertain = false;
  bool comparable = true;  ///< False: the two launches are not alike enough for a ratio.
};

struct TrafficTable {
  std::string title;  ///< "phase 1, block (0, 0)"
  std::vector<TrafficRow> rows;
};

/// Bytes per element that the kernel loads; 0 where it loads several types.
[[nodiscard]] uint32_t loadedElementBytes(const compile::Plan& plan);
/// Elements that lanes request: a lane that loads 16 bytes at once requests four elements of 4
/// bytes. Where `elementBytes` is 0, the number of lane loads.
[[nodiscard]] uint64_t elementLoads(const trace::GlobalCounts& loads, uint32_t elementBytes);

struct CountedLoads {
  const trace::Counters* counters = nullptr;  ///< Null: unknown.
  uint32_t elementBytes = 0;                  ///< loadedElementBytes.
  /// Which of them the hardware may count otherwise; null: none.
  const std::vector<lab::UncertainCounts>* uncertain = nullptr;
  /// The hardware's own, of the same launch. They take the place of uncertain ones.
  const device::HardwareCounters* hardware = nullptr;
};
/// The counters side by side. `origin` ends each row's hover text.
[[nodiscard]] TrafficTable trafficOf(std::string title, const CountedLoads& companion,
                                     const CountedLoads& main, const std::string& origin);

/// A trace's counters with its asynchronous copies added to the loads, as in the counts of a grid.
/// Their writes to shared memory are only in the counts of a grid.
[[nodiscard]] trace::Counters withCopies(const trace::Tally& tally);
/// Removes the rows of global loads where the counts of a whole grid omit some copies.
void leaveOutLoads(TrafficTable& table, bool companion, bool main);

/// Adds how often each element in shared memory is read; nothing where there are none.
void addReuse(TrafficTable& table, const trace::Tally* companion, const trace::Tally* main,
              const std::string& origin);

/// Adds the operations executed and the share of them that the result needs: blocks that extend
/// past an edge compute with zeroes. Adds nothing for kernels that declare no operations or count
/// fewer than they declare.
void addOperations(TrafficTable& table, const lab::RunResult* companion, const lab::RunResult* main,
                   const std::string& origin);

/// A value as the table shows it: "1,024", "64.0 B", "–" where it is unknown, "≈ 1,024" where the
/// hardware may count otherwise.
[[nodiscard]] std::string valueText(const std::optional<double>& value, Unit unit,
                                    bool isUncertain = false);
[[nodiscard]] std::string companionText(const TrafficRow& row);
[[nodiscard]] std::string mainText(const TrafficRow& row);
/// The main kernel's value relative to the companion's: "16 times fewer"; empty where one is
/// missing, where they are not comparable, and for shares.
[[nodiscard]] std::string comparisonText(const TrafficRow& row);

/// "blocks of 16 × 16"
[[nodiscard]] std::string blocksText(const Dim3& block);

/// "naive in blocks of 16 × 16"; a whole grid may be compared with another launch than the scene's.
[[nodiscard]] std::string launchText(const lab::RunResult& result);

/// "m = n = k = 1024", or "m = 100, n = 61, k = 37".
[[nodiscard]] std::string sizesText(const compile::Bindings& sizes);

/// "counted by the interpreter, the whole launch of reduce neighbored, n = 64"
[[nodiscard]] std::string countedText(const TracedKernel& kernel);

}  // namespace tilestep::model
