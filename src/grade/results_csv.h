// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "grade/grade.h"
#include "grade/rules.h"

/// The results of a class as CSV. An interrupted grading is continued from it.
namespace tilestep::grade {

/// The rows "compiles", … and the counters of the rules, with their maxima and without marks.
[[nodiscard]] std::vector<Row> rowsOf(const Rules& rules);

/// A hash as it appears in the file, "0x4868861188594557". No spreadsheet mistakes it for a number.
[[nodiscard]] std::string hashCell(const std::string& hash);
[[nodiscard]] std::string hashIn(const std::string& cell);

/// One line of the file.
struct Record {
  Grade grade;
  uint64_t seed = 0;           ///< The hidden seed.
  std::string rules, version;  ///< As in RunFacts.
};

/// A header and a line for each record, sorted by id. An apostrophe precedes a cell that a
/// spreadsheet would mistake for a formula.
[[nodiscard]] std::string toCsv(std::vector<Record> records, const std::vector<Row>& rows);

/// The records of a file written by toCsv(). The file does not contain counts, locations and the
/// reasons of single rows. Errors, of kind request: `path` contains something else, other rows, or
/// marks that a person changed and that the next grading would overwrite.
Result<std::vector<Record>> readCsv(const std::string& path, std::string_view text,
                                    const std::vector<Row>& rows);

}  // namespace tilestep::grade
