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

/// Marks that a person gives instead of the program, from a file that the program never writes. A
/// value.
class HandMarks {
 public:
  struct Mark {
    double marks = 0;
    std::string hash;  ///< The hash of the file to which they apply; empty: any.
  };

  /// Reads lines "id,marks" or "id,marks,hash" and an optional header line. The hash is the one in
  /// the CSV file of grades. Errors, of kind request, name the file `path`.
  static Result<HandMarks> read(const std::string& path, std::string_view text);

  /// Reads the file at `path`; no marks if `path` is empty. Errors: those of read(), and an id that
  /// no submission has.
  static Result<HandMarks> open(const std::string& path,
                                const std::vector<Submission>& submissions);

  [[nodiscard]] const std::map<std::string, Mark>& byId() const { return marks_; }
  /// The marks for this grade, if they apply to its file.
  [[nodiscard]] std::optional<double> of(const Grade& grade) const;
  /// A note for the teacher on this grade's marks by hand; empty: none.
  [[nodiscard]] std::string remark(const Grade& grade) const;
  /// Whether this id's marks apply to another file.
  [[nodiscard]] bool areForAnother(const Grade& grade) const;

 private:
  std::map<std::string, Mark> marks_;
};

}  // namespace tilestep::grade
