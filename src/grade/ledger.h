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

/// The grades of a class: those of the continued file, and new grades. A value.
class Ledger {
 public:
  Ledger() = default;
  explicit Ledger(std::vector<Record> kept) : records_(std::move(kept)) {}

  /// The seed that all records share; absent if there are no records. Error of kind request: the
  /// seeds differ, so the marks are not comparable.
  [[nodiscard]] Result<std::optional<uint64_t>> seed() const;

  /// Error of kind request: a record was made with other rules, so its marks are not comparable.
  [[nodiscard]] Status checkRules(const std::string& rules) const;

  /// Whether the id's file has a final verdict for the hash, rules, seed and version of `wanted`,
  /// so that grading it again would give the same result.
  [[nodiscard]] bool settles(const Record& wanted) const;

  /// Replaces the record of the same id, or adds one at the end.
  void put(Record record);

  /// Replaces the marks by hand of all records.
  void mark(const HandMarks& marks);

  /// Sets the known troubles of each record.
  void recall(const FoundBefore& found);

  /// Restores an id that a spreadsheet has changed, such as 12345 for "0012345": gives the record
  /// of this file the submission's id, unless the record's own id is among `ids`, the ids of all
  /// submissions. Returns the former id.
  std::optional<std::string> rename(const std::string& file, const std::string& id,
                                    const std::set<std::string>& ids);

  [[nodiscard]] const std::vector<Record>& records() const { return records_; }
  /// The grades of all records.
  [[nodiscard]] std::vector<Grade> grades() const;
  /// The record of this id, or null.
  [[nodiscard]] const Record* find(const std::string& id) const;

 private:
  std::vector<Record> records_;
};

}  // namespace tilestep::grade
