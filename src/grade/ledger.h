// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "grade/class_file.h"
#include "grade/hand_marks.h"
#include "grade/results_csv.h"

namespace tilestep::grade {

/// The grades of a class: those of a file that is continued, and new ones. A value.
class Ledger {
 public:
  Ledger() = default;
  explicit Ledger(std::vector<Record> kept) : records_(std::move(kept)) {}

  /// The seed that all records share; nothing where there are none. An Error of the request where
  /// they differ, so that marks of different data do not stand beside one another.
  [[nodiscard]] Result<std::optional<uint64_t>> seed() const;

  /// An Error of the request where a record was made by other rules than these, so that marks by
  /// different rules do not stand beside one another.
  [[nodiscard]] Status checkRules(const std::string& rules) const;

  /// Whether the same file has a verdict by the same rules, seed and version that grading it again
  /// would only repeat. `wanted`: id, hash and the rest of what is looked for.
  [[nodiscard]] bool settles(const Record& wanted) const;

  /// Takes the place of an earlier record of the same id, or comes last.
  void put(Record record);

  /// Gives each record the marks by hand that it has now.
  void mark(const HandMarks& marks);

  /// Gives each record what is known to have been found of its file.
  void recall(const FoundBefore& found);

  /// Gives the record of this file the id that it belongs to, where it has one that is not among
  /// `ids`, those of all submissions: a spreadsheet writes "0012345" as 12345. The id that it had.
  std::optional<std::string> rename(const std::string& file, const std::string& id,
                                    const std::set<std::string>& ids);

  [[nodiscard]] const std::vector<Record>& records() const { return records_; }
  /// Of all records.
  [[nodiscard]] std::vector<Grade> grades() const;
  /// Null where there is none of this id.
  [[nodiscard]] const Record* find(const std::string& id) const;

 private:
  std::vector<Record> records_;
};

}  // namespace tilestep::grade
