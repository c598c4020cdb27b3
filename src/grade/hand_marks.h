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

/// The marks that a person gives instead of the program, from a file of their own, which the
/// program never writes. A value.
class HandMarks {
 public:
  struct Mark {
    double marks = 0;
    std::string hash;  ///< Of the file that it is for; empty: for any.
  };

  /// Lines "id,marks" or "id,marks,hash", below a line of such names or not. The hash is that of
  /// the CSV file of grades. Errors: kind request; `path` names the file in them.
  static Result<HandMarks> read(const std::string& path, std::string_view text);

  /// Those of the file at `path`; none where it is empty. Errors: the same, and an id that none of
  /// the submissions has.
  static Result<HandMarks> open(const std::string& path,
                                const std::vector<Submission>& submissions);

  [[nodiscard]] const std::map<std::string, Mark>& byId() const { return marks_; }
  /// The marks of this grade, if they are for its file.
  [[nodiscard]] std::optional<double> of(const Grade& grade) const;
  /// What the teacher should know of this grade's marks by hand, in words; empty: nothing.
  [[nodiscard]] std::string remark(const Grade& grade) const;
  /// Whether there are marks for another file of this id.
  [[nodiscard]] bool areForAnother(const Grade& grade) const;

 private:
  std::map<std::string, Mark> marks_;
};

}  // namespace tilestep::grade
