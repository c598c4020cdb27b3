// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "grade/grade.h"
#include "grade/submission.h"

namespace tilestep::grade {

/// Marks that a person gives instead of the program. The program reads them from a file that it
/// never writes. A value.
class HandMarks {
 public:
  struct Mark {
    double marks = 0;
    /// The hash of the file to which the marks apply; empty if they apply to any file.
    std::string hash;
  };

  /// Reads lines "id,marks" or "id,marks,hash" and an optional header line. The hash is that in the
  /// CSV file of grades. Errors, of kind request, name the file `path`.
  static Result<HandMarks> read(const std::string& path, std::string_view text);

  /// Reads the file at `path`; returns no marks if `path` is empty. Errors: those of read(), and an
  /// id that no submission has.
  static Result<HandMarks> open(const std::string& path,
                                const std::vector<Submission>& submissions);

  [[nodiscard]] const std::map<std::string, Mark>& byId() const { return marks_; }
  /// The marks for this grade, if they apply to its file.
  [[nodiscard]] std::optional<double> of(const Grade& grade) const;
  /// A note for the teacher about this grade's marks by hand; empty if there is none.
  [[nodiscard]] std::string remark(const Grade& grade) const;
  /// Whether this id's marks by hand apply to another file.
  [[nodiscard]] bool areForAnother(const Grade& grade) const;

 private:
  std::map<std::string, Mark> marks_;
};

}  // namespace tilestep::grade
