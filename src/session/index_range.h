// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>

namespace tilestep::session {

/// Elements of one array, gathered into a short text: "[0][0…3]" where a row or a column is
/// touched. Says so where the rectangle has holes.
class IndexRange {
 public:
  void add(uint32_t row, uint32_t column) {
    rows_.insert(row);
    columns_.insert(column);
    cells_.insert({row, column});
  }
  [[nodiscard]] bool empty() const { return cells_.empty(); }
  [[nodiscard]] bool dense() const { return cells_.size() == rows_.size() * columns_.size(); }
  /// `rowsKnown` false: the array has no rows, and a place is one number.
  [[nodiscard]] std::string text(bool rowsKnown = true) const {
    std::string text = (rowsKnown ? part(rows_) : std::string()) + part(columns_);
    if (!dense()) text += " (" + std::to_string(cells_.size()) + " of them)";
    return text;
  }

 private:
  static std::string part(const std::set<uint32_t>& values) {
    const std::string first = std::to_string(*values.begin());
    if (values.size() == 1) return "[" + first + "]";
    const uint32_t last = *values.rbegin();
    // Every other one, say, is told by its step.
    const uint32_t step = (last - *values.begin()) / static_cast<uint32_t>(values.size() - 1);
    const bool even = step * (values.size() - 1) == last - *values.begin() && step > 1;
    return "[" + first + "…" + std::to_string(last) +
           (even ? " by " + std::to_string(step) : std::string()) + "]";
  }
  std::set<uint32_t> rows_, columns_;
  std::set<std::pair<uint32_t, uint32_t>> cells_;
};

}  // namespace tilestep::session
