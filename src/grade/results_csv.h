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

/// "compiles", ..., and the counters of the rules.
[[nodiscard]] std::vector<std::string> rowNames(const Rules& rules);

/// A line of the file.
struct Record {
  Grade grade;
  uint64_t seed = 0;           ///< The hidden seed.
  std::string rules, version;  ///< As RunFacts has them.
};

/// A line for each record, by id, below the names of the columns. A cell that a spreadsheet would
/// take for a formula begins with an apostrophe.
[[nodiscard]] std::string toCsv(std::vector<Record> records, const std::vector<std::string>& rows);

/// The records of such a file; counts, places and what is said of single rows are not kept there.
/// Errors: kind request; `path` holds something else, or rows other than `rows`.
Result<std::vector<Record>> readCsv(const std::string& path, std::string_view text,
                                    const std::vector<std::string>& rows);

}  // namespace tilestep::grade
