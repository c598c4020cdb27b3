// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "grade/ledger.h"

namespace tilestep::grade {

/// The CSV file of a class. People write marks of their own into its column by_hand, even while the
/// class is graded. Whoever has one sees to it that no other process of Tilestep writes the file
/// (base/process/file_lock.h). There is no file if no name is given.
class MarksFile {
 public:
  MarksFile() = default;
  /// Reads what the file holds if it `goesOn`. Errors: the file cannot be read; those of readCsv().
  static Result<MarksFile> open(const std::string& path, std::vector<Row> rows, bool goesOn);

  /// What a file that goes on held.
  [[nodiscard]] const Ledger& before() const { return before_; }

  /// Writes the records, with the marks by hand that the file has got meanwhile, which `ledger`
  /// takes. Errors: it cannot be written, or somebody changed it otherwise; then it is left as it
  /// is until that is mended.
  Status write(Ledger& ledger);

 private:
  /// Takes what somebody has written since.
  Status takeChanges(Ledger& ledger);

  std::string path_;
  std::vector<Row> rows_;
  std::string text_;  ///< What the file holds, as far as is known.
  Ledger before_;
};

}  // namespace tilestep::grade
