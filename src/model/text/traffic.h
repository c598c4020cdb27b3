// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/figure.h"
#include "model/scene/traced_kernel.h"
#include "trace/counters.h"

namespace tilestep::model {

/// One line of the traffic table; a figure that is not known is absent.
struct TrafficRow {
  std::string name;
  std::optional<double> companion, main;
  Unit unit = Unit::count;
  std::string hover;  ///< Definition, other tools' names for it, and origin.
};

struct TrafficTable {
  std::string title;  ///< "phase ph 1, block (0, 0)"
  std::vector<TrafficRow> rows;
};

/// Bytes of one element that the kernel loads; 0 where they are of several types.
[[nodiscard]] uint32_t loadedElementBytes(const compile::Plan& plan);
/// Elements that lanes ask for; a lane that loads 16 bytes at once asks for four of 4. Where
/// `elementBytes` is 0, loads of lanes.
[[nodiscard]] uint64_t elementLoads(const trace::GlobalCounts& loads, uint32_t elementBytes);

struct CountedLoads {
  const trace::Counters* counters = nullptr;  ///< Null: none are known.
  uint32_t elementBytes = 0;                  ///< loadedElementBytes.
};
/// Counters side by side. `origin` ends each row's hover text.
[[nodiscard]] TrafficTable trafficOf(std::string title, const CountedLoads& companion,
                                     const CountedLoads& main, const std::string& origin);

/// A trace's counters with its asynchronous copies among the loads, as counts of a grid have them.
/// What they write to shared memory is in a grid's counts alone.
[[nodiscard]] trace::Counters withCopies(const trace::Tally& tally);
/// Takes the loads of global memory out where the count of a whole grid leaves some copies out.
void leaveOutLoads(TrafficTable& table, bool companion, bool main);

/// How often an element is read from shared memory once it lies there; nothing where none does.
void addReuse(TrafficTable& table, const trace::Tally* companion, const trace::Tally* main,
              const std::string& origin);

/// Operations executed and the share of them that the result needs: blocks that hang over an edge
/// compute with zeroes. Nothing for kernels that name no operations or count fewer than they name.
void addOperations(TrafficTable& table, const lab::RunResult* companion, const lab::RunResult* main,
                   const std::string& origin);

/// What the main kernel has of it against the companion: "16 times fewer"; empty where one of them
/// has none, and for shares.
[[nodiscard]] std::string comparisonText(const TrafficRow& row);

/// What a kernel does to traffic and time, as reference ÷ kernel: above 1 is less traffic. The four
/// are only ever shown together.
struct Gains {
  std::optional<double> lanes, sectors, l2, time;
  /// Where they are known, with this run's numbers: "4.19 MB ÷ 262 kB".
  std::string lanesFormula, sectorsFormula, l2Formula, timeFormula;
  std::string of;       ///< "m = n = k = 1024"
  std::string subject;  ///< "tiled": what is compared.
  std::string against;  ///< "naive in blocks of 16 × 16"
  /// That the times need not be of one machine, and what that means for `time`; else empty.
  std::string timeNote;
  /// What the scene has beside the kernel, where that is the reference in other blocks, and
  /// `timeNote`; else empty.
  std::string note;
};
[[nodiscard]] Gains gainsOf(const lab::RunResult& reference, const lab::RunResult& main);

/// "naive in blocks of 16 × 16": another launch than the scene's may stand beside a whole grid.
[[nodiscard]] std::string launchText(const lab::RunResult& result);

/// "m = n = k = 1024", or "m = 100, n = 61, k = 37".
[[nodiscard]] std::string sizesText(const compile::Bindings& sizes);

}  // namespace tilestep::model
