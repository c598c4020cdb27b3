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

/// One point as a row of cells, one per column; a cell is empty if unknown.
using SweepLine = std::vector<std::string>;

/// RFC 4180: cells with a comma, a quote or a line break are quoted. Ends with a line break.
[[nodiscard]] std::string csvLine(const SweepLine& cells);

/// The lines of a text written by csvLine(), and their size in bytes. A truncated last line
/// (without a line break) is excluded.
struct CsvText {
  std::vector<SweepLine> lines;
  uint64_t bytes = 0;
};
[[nodiscard]] CsvText parseCsv(std::string_view text);

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
/// The error for a file that cannot be continued.
[[nodiscard]] Error otherSweep(const std::string& path, const std::string& why);

/// The part of a sweep that a file already holds.
struct SweepSoFar {
  std::vector<SweepLine> lines;  ///< Its first points, without the header line.
  std::vector<size_t> failed;    ///< Indices of the points that failed, ascending.
};

/// Checks the text of the file `path` against the sweep to be resumed: as readSweepLines(), and
/// each line must match the kernel, device, sizes and tunables of its entry in `experiments` (all
/// of one source), and its askedColumns(). Errors: kind request; they name the point and the
/// difference.
Result<SweepSoFar> readSweep(const std::string& path, std::string_view text,
                             const SweepLine& columns, const compile::KernelSpec& spec,
                             const std::vector<Experiment>& experiments);

}  // namespace tilestep::lab
