// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "grade/ledger.h"

namespace tilestep::grade {

/// The CSV file of a class. Whoever has one sees to it that no other process of Tilestep writes the
/// file (base/process/file_lock.h). There is no file if no name is given.
class MarksFile {
 public:
  MarksFile() = default;
  /// Reads what the file holds if it `goesOn`; otherwise it is replaced, whatever it holds. Errors:
  /// a file that goes on cannot be read; those of readCsv().
  static Result<MarksFile> open(const std::string& path, std::vector<Row> rows, bool goesOn);

  /// What a file that goes on held.
  [[nodiscard]] const Ledger& before() const { return before_; }

  /// Writes the records. Errors: they cannot be written; another program has changed the file
  /// meanwhile, and they stand in "NAME.graded" beside it.
  Status write(const Ledger& ledger);

 private:
  std::string path_;
  std::vector<Row> rows_;
  std::optional<std::string> text_;  ///< What the file holds; nothing: it could not be read.
  Ledger before_;
};

}  // namespace tilestep::grade
