// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "grade/ledger.h"

namespace tilestep::grade {

/// The CSV file of a class. The owner holds its lock (base/process/file_lock.h). Without a name
/// there is no file.
class MarksFile {
 public:
  MarksFile() = default;
  /// Reads the file if `goesOn`; otherwise write() replaces it, whatever it contains. Errors: the
  /// file to continue cannot be read; those of readCsv().
  static Result<MarksFile> open(const std::string& path, std::vector<Row> rows, bool goesOn);

  /// The grades that were read.
  [[nodiscard]] const Ledger& before() const { return before_; }

  /// Writes the records. Errors: the file cannot be written, or another program has changed it. The
  /// records are then in "NAME.graded" in the same folder.
  Status write(const Ledger& ledger);

 private:
  std::string path_;
  std::vector<Row> rows_;
  std::optional<std::string> text_;  ///< The file's text; absent if it could not be read.
  Ledger before_;
};

}  // namespace tilestep::grade
