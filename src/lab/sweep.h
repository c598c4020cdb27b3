// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "lab/experiment.h"
#include "lab/sweep_file.h"

/// A sweep is a list of experiments with a row of values for each. The caller runs them.
namespace tilestep::lab {

/// Names that change together (m, n and k of a square product) and their values, in order.
struct Axis {
  std::vector<std::string> names;
  std::vector<int64_t> values;
};

/// The largest number of points of a sweep, and of values of an axis.
constexpr size_t kMostPoints = 100000;

/// Reads "8", "1,2,4", "4:32" or "4:32:4" (the last value is included if the step reaches it).
/// Lists may contain ranges. Errors describe the fault in the text.
Result<std::vector<int64_t>> parseValues(const std::string& text);

/// One point of the sweep: a value for each name.
using Point = std::vector<std::pair<std::string, int64_t>>;

/// Every combination; the last axis varies fastest. Errors: more than kMostPoints.
Result<std::vector<Point>> combinations(const std::vector<Axis>& axes);

/// One line of a sweep's table.
struct SweepRow {
  enum class Status { ok, wrong, skipped, failed } status = Status::ok;
  std::string kernel, device;
  compile::Bindings sizes, tunables;  ///< As requested; with defaults if the run returned a result.
  std::string reason;                 ///< Why the point was skipped, failed or is wrong.
  bool checked = false;               ///< A check of the result was requested.
  uint64_t seed = 1;                  ///< The inputs' seed.
  uint64_t code = 0;                  ///< textHashOf() the source.
  std::optional<RunResult> result;
};

/// SweepRow::Status, as the column "status" names it.
constexpr std::array<const char*, 4> kSweepStatus{"ok", "wrong", "skipped", "failed"};

/// The kernel's name, with the function if one of several was chosen: "two:second".
[[nodiscard]] std::string sweptName(const compile::KernelSource& source,
                                    const compile::KernelSpec& spec);

/// A hash of the kernel's file (code and front matter) and of the chosen function.
[[nodiscard]] uint64_t textHashOf(const compile::KernelSource& source);

/// `kernel` is its sweptName(). If the outcome is an error of kind request, the combination is
/// illegal, and the row's status is `skipped`.
[[nodiscard]] SweepRow rowOf(const std::string& kernel, const Experiment& experiment,
                             Result<RunResult> outcome);

/// The column names for rows of one kernel.
[[nodiscard]] std::vector<std::string> sweepColumns(const compile::KernelSpec& spec, bool counters);
/// The columns, besides the point, that identify a line when a file is resumed: "checked" (yes or
/// no), "seed" and "code" (in hexadecimal), "device_name" (the device that ran it) and "compiler".
[[nodiscard]] std::vector<std::string> askedColumns();
[[nodiscard]] SweepLine sweepCells(const std::vector<std::string>& columns, const SweepRow& row);

}  // namespace tilestep::lab
