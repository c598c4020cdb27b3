// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "lab/experiment.h"
#include "lab/sweep_file.h"

/// A sweep is a list of experiments and a row of figures for each. The caller runs them.
namespace tilestep::lab {

/// Names that move together (m, n and k of a square product) and the values they take, in order.
struct Axis {
  std::vector<std::string> names;
  std::vector<int64_t> values;
};

/// Most points of one sweep, and most values of one axis.
constexpr size_t kMostPoints = 100000;

/// "8" | "1,2,4" | "4:32" | "4:32:4" (the last value is included where the step meets it); lists
/// may hold ranges. Errors say what is wrong with the text.
Result<std::vector<int64_t>> parseValues(const std::string& text);

/// One point of the sweep: a value for each name.
using Point = std::vector<std::pair<std::string, int64_t>>;

/// Every combination; the last axis moves fastest. Errors: more than kMostPoints.
Result<std::vector<Point>> combinations(const std::vector<Axis>& axes);

/// One line of a sweep's table.
struct SweepRow {
  enum class Status { ok, wrong, skipped, failed } status = Status::ok;
  std::string kernel, device;
  compile::Bindings sizes, tunables;  ///< As asked for, with defaults where a result came back.
  std::string reason;                 ///< Why it was skipped, failed or is wrong.
  bool checked = false;               ///< It was asked whether the result is right.
  uint64_t seed = 1;                  ///< Of the inputs.
  uint64_t code = 0;                  ///< textHashOf the source.
  std::optional<RunResult> result;
};

/// The kernel's name, with the function where one was chosen among several: "two:second".
[[nodiscard]] std::string sweptName(const compile::KernelSource& source,
                                    const compile::KernelSpec& spec);

/// A hash of all that a kernel's file says: its code, its front matter and the chosen function.
[[nodiscard]] uint64_t textHashOf(const compile::KernelSource& source);

/// `kernel`: its sweptName. Kind request: the combination is illegal, so it is skipped.
[[nodiscard]] SweepRow rowOf(const std::string& kernel, const Experiment& experiment,
                             Result<RunResult> outcome);

/// Column names for rows of the same kernel, and the cells of one row; empty where unknown.
[[nodiscard]] std::vector<std::string> sweepColumns(const compile::KernelSpec& spec, bool counters);
/// The columns of what a line depends on besides its point, for a file that is to be resumed:
/// "checked" (yes or no), "seed" and "code" (in hexadecimal); and "device_name" and "compiler",
/// the device that answered and what made its code.
[[nodiscard]] std::vector<std::string> askedColumns();
[[nodiscard]] SweepLine sweepCells(const std::vector<std::string>& columns, const SweepRow& row);

}  // namespace tilestep::lab
