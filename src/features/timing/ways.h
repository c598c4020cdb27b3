// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "device/named_value.h"
#include "features/names.h"
#include "lab/experiment.h"
#include "model/files/lab_file.h"

/// A lab's launches, each timed with several methods. Pure.
namespace tilestep::features {

/// A launch of a lab.
struct TimingRow {
  std::string kernel;                    ///< The label of the launch's button: "short copy".
  std::string sizes, tunables;           ///< "n = 1024", "BLOCK 256"; tunables may be empty.
  std::vector<device::NamedValue> ways;  ///< RunResult::timings; empty if there are no times.
  std::string on;                        ///< "NVIDIA H200, recorded 2026-11-21"
  std::string gap;  ///< A sentence that says why there are no times; empty if there are times.
};
[[nodiscard]] TimingRow timingRowOf(const LabKernel& kernel);
[[nodiscard]] TimingRow timingRowOf(const LabKernel& kernel, const lab::RunResult& result);

/// "CPU clock, not synchronised" for "clock-unsynchronized"; an unknown id is returned unchanged.
[[nodiscard]] std::string wayName(const std::string& id);

/// A logarithmic time axis in seconds, between powers of ten.
struct TimingAxis {
  double from = 1e-6, to = 1e-3;

  /// A time's position on the axis, from 0 at `from` to 1 at `to`, clamped to the ends.
  [[nodiscard]] double share(double seconds) const;
  /// The powers of ten, including the ends.
  [[nodiscard]] std::vector<double> ticks() const;
};
/// An axis that contains all times of the rows, including the first samples.
[[nodiscard]] TimingAxis timingAxisOf(const std::vector<TimingRow>& rows);

/// The conclusion from the rows, about the longest launch without synchronisation and the shortest
/// launch with synchronisation. Empty if no row has times.
[[nodiscard]] std::string timingSentence(const std::vector<TimingRow>& rows);

/// The reason why no row has times, if all rows share it; otherwise empty.
[[nodiscard]] std::string commonTimingGap(const std::vector<TimingRow>& rows);

}  // namespace tilestep::features
