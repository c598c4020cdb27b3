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

/// The results of a class as CSV, which is also what a grading that was interrupted goes on from.
namespace tilestep::grade {

/// "compiles", ..., and the counters of the rules, with their most marks. What was given is not
/// set.
[[nodiscard]] std::vector<Row> rowsOf(const Rules& rules);

/// A hash as the file has it, "0x4868861188594557", which no spreadsheet takes for a number.
[[nodiscard]] std::string hashCell(const std::string& hash);
[[nodiscard]] std::string hashIn(const std::string& cell);

/// A line of the file.
struct Record {
  Grade grade;
  uint64_t seed = 0;           ///< The hidden seed.
  std::string rules, version;  ///< As RunFacts has them.
};

/// A line for each record, by id, below the names of the columns. A cell that a spreadsheet would
/// take for a formula begins with an apostrophe.
[[nodiscard]] std::string toCsv(std::vector<Record> records, const std::vector<Row>& rows);

/// The records of such a file; counts, places and what is said of single rows are not kept there.
/// Errors: kind request; `path` holds something else, or rows other than `rows`, or marks that a
/// person changed, which would be lost at the next grading.
Result<std::vector<Record>> readCsv(const std::string& path, std::string_view text,
                                    const std::vector<Row>& rows);

}  // namespace tilestep::grade
