// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "compile/kernel.h"
#include "lab/experiment.h"

/// A sweep's CSV file, written point by point in order, so that an interrupted sweep can be
/// resumed.
namespace tilestep::lab {

/// The cells of one point, one per column. A cell is empty if its value is unknown.
using SweepLine = std::vector<std::string>;

/// RFC 4180: cells with a comma, a quote or a line break are quoted. Ends with a line break.
[[nodiscard]] std::string csvLine(const SweepLine& cells);

/// The lines of a text written by csvLine(). A truncated last line (without a line break) is
/// excluded.
struct CsvText {
  std::vector<SweepLine> lines;
  /// The line number at which each line of cells begins, then that of the rest of the text. They
  /// differ from the index because cells may have line breaks.
  std::vector<size_t> numbers;
  uint64_t bytes = 0;  ///< The size of `lines` in the text.
};
[[nodiscard]] CsvText parseCsv(std::string_view text);
/// "FILE, line 3: WHY", of kind request, with the location.
[[nodiscard]] Error lineError(const std::string& file, size_t number, const std::string& why);

/// A spreadsheet evaluates a cell that begins like a formula, unless a leading apostrophe (which it
/// hides) marks it as text. A text that begins with an apostrophe gets a second one, so that
/// different texts give different cells. Negative numbers stay unchanged.
[[nodiscard]] std::string spreadsheetCell(const std::string& text);
/// The inverse of spreadsheetCell().
[[nodiscard]] std::string spreadsheetText(const std::string& cell);
/// A line of a sweep's file: csvLine() of the cells, each passed through spreadsheetCell().
[[nodiscard]] std::string sweepLineText(const SweepLine& cells);

/// An invalid cell.
struct CellProblem {
  size_t column = 0;
  std::string why;  ///< Names the column and the fault: "p10_ms is not a time: 'x'".
};
/// Checks the status, times, rates and counts of a line with one cell per column; other columns may
/// hold anything. Rows of the interpreter, simt, have no times.
[[nodiscard]] std::optional<CellProblem> cellProblem(const SweepLine& columns,
                                                     const SweepLine& line);

/// The lines after the header of a sweep's file with these columns, each checked with
/// cellProblem(); a truncated last line is excluded. Errors (kind request) name the differing
/// columns or the invalid line.
Result<std::vector<SweepLine>> readSweepLines(const std::string& path, std::string_view text,
                                              const SweepLine& columns);

/// Checks the line of point `index` against the cells that it must have; those that are empty in
/// `required` are not compared. Errors name the point and the difference.
Status checkLine(const std::string& path, size_t index, const SweepLine& columns,
                 const SweepLine& line, const SweepLine& required);

/// Checks the lines of a sweep to be resumed. Each must match the kernel, device, sizes, tunables
/// and askedColumns() of its entry in `experiments` (all of one source), and must have no figures
/// if its point did not run. Errors, kind request, name the point and the difference.
Status checkSweep(const std::string& path, const SweepLine& columns,
                  const std::vector<SweepLine>& lines, const compile::KernelSpec& spec,
                  const std::vector<Experiment>& experiments);

}  // namespace tilestep::lab
