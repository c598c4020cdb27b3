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

/// A sweep's CSV file, written one line per point in order, so that an interrupted sweep can be
/// resumed.
namespace tilestep::lab {

/// One point as a row of cells, one per column; empty where unknown.
using SweepLine = std::vector<std::string>;

/// RFC 4180: cells with a comma, a quote or a line break are quoted; ends with a line break.
[[nodiscard]] std::string csvLine(const SweepLine& cells);

/// The lines of a text that csvLine made, and their bytes. A last line without its line break was
/// cut off, and is left out.
struct CsvText {
  std::vector<SweepLine> lines;
  uint64_t bytes = 0;
};
[[nodiscard]] CsvText parseCsv(std::string_view text);

/// A spreadsheet runs a cell that begins like a formula, unless an apostrophe comes first, which it
/// hides. A text with an apostrophe of its own gets another one, so that no two texts become the
/// same cell; a negative number stays as it is.
[[nodiscard]] std::string spreadsheetCell(const std::string& text);
/// The text of such a cell.
[[nodiscard]] std::string spreadsheetText(const std::string& cell);
/// csvLine() of the cells as spreadsheetCell() has them: a line of a sweep's file.
[[nodiscard]] std::string sweepLineText(const SweepLine& cells);

/// A cell with an invalid figure.
struct CellProblem {
  size_t column = 0;
  std::string why;  ///< Names the column and says what is wrong: "p10_ms is not a time: 'x'".
};
/// Checks the status, times, rates and counts of a line with as many cells as there are columns;
/// other columns may hold anything. The interpreter, simt, gives no times.
[[nodiscard]] std::optional<CellProblem> cellProblem(const SweepLine& columns,
                                                     const SweepLine& line);

/// The lines after the first one of a sweep's file with these columns, each checked with
/// cellProblem(); a last line that was cut off is left out. Errors: kind request; the columns
/// differ, or a line is invalid, which they name.
Result<std::vector<SweepLine>> readSweepLines(const std::string& path, std::string_view text,
                                              const SweepLine& columns);
/// The error for a file that cannot be continued.
[[nodiscard]] Error otherSweep(const std::string& path, const std::string& why);

/// The points of a sweep that a file already has.
struct SweepSoFar {
  std::vector<SweepLine> lines;  ///< Its first points, without the header line.
  std::vector<size_t> failed;    ///< Indices of the points that failed, ascending.
};

/// Checks the text of the file `path` against the sweep that is to be resumed there: as
/// readSweepLines(), and line by line the kernel, device, sizes and tunables of `experiments`,
/// which have one source, and what askedColumns() has of them. Errors: kind request; they name the
/// point and the difference.
Result<SweepSoFar> readSweep(const std::string& path, std::string_view text,
                             const SweepLine& columns, const compile::KernelSpec& spec,
                             const std::vector<Experiment>& experiments);

}  // namespace tilestep::lab
