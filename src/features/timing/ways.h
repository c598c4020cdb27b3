// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "device/named_value.h"
#include "features/names.h"
#include "lab/experiment.h"
#include "model/files/lab_file.h"

/// A lab's launches, each timed in several ways. Pure.
namespace tilestep::features {

/// One launch of a lab.
struct TimingRow {
  std::string kernel;                    ///< As its button names it: "short copy".
  std::string sizes, tunables;           ///< "n = 1024", "BLOCK 256"; tunables may be empty.
  std::vector<device::NamedValue> ways;  ///< RunResult::timings; empty where there are none.
  std::string on;                        ///< "NVIDIA H200, recorded 2026-11-21"
  std::string gap;                       ///< Why there are none, in a sentence; else empty.
};
[[nodiscard]] TimingRow timingRowOf(const LabKernel& kernel);
[[nodiscard]] TimingRow timingRowOf(const LabKernel& kernel, const lab::RunResult& result);

/// "CPU clock, not synchronised" for "clock-unsynchronized"; an id without a name is its own.
[[nodiscard]] std::string wayName(const std::string& id);

/// A logarithmic axis over whole powers of ten, in seconds.
struct TimingAxis {
  double from = 1e-6, to = 1e-3;

  /// From 0 at `from` to 1 at `to`; times outside, and 0, are at the ends.
  [[nodiscard]] double share(double seconds) const;
  /// The powers of ten, both ends included.
  [[nodiscard]] std::vector<double> ticks() const;
};
/// Holds all times of the rows, the first samples too.
[[nodiscard]] TimingAxis timingAxisOf(const std::vector<TimingRow>& rows);

/// The conclusion from the rows: the longest launch without synchronisation, and the shortest with
/// it. Empty where no row has times.
[[nodiscard]] std::string timingSentence(const std::vector<TimingRow>& rows);

/// The reason that no row has times, if all share it; else empty.
[[nodiscard]] std::string commonTimingGap(const std::vector<TimingRow>& rows);

}  // namespace tilestep::features
