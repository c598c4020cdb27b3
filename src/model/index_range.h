// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tilestep::model {

/// A set of elements of one array as a short string: "[0][0…3]" if part of a row or a column is
/// accessed. The string indicates holes in the rectangle.
class IndexRange {
 public:
  void add(uint32_t row, uint32_t column) { cells_.push_back({row, column}); }
  [[nodiscard]] bool empty() const { return cells_.empty(); }
  [[nodiscard]] bool dense() const { return sorted().dense(); }
  /// If `rowsKnown` is false, the array has no rows, and an element has a single index.
  [[nodiscard]] std::string text(bool rowsKnown = true) const {
    const Sorted all = sorted();
    std::string text = (rowsKnown ? part(all.rows) : std::string()) + part(all.columns);
    if (!all.dense()) text += " (" + std::to_string(all.cells) + " of them)";
    return text;
  }

 private:
  /// The distinct rows and columns, ascending.
  struct Sorted {
    std::vector<uint32_t> rows, columns;
    size_t cells = 0;
    [[nodiscard]] bool dense() const { return cells == rows.size() * columns.size(); }
  };
  template <class T>
  static void sortUnique(std::vector<T>& values) {
    std::ranges::sort(values);
    values.erase(std::ranges::unique(values).begin(), values.end());
  }
  [[nodiscard]] Sorted sorted() const {
    std::vector<std::pair<uint32_t, uint32_t>> cells = cells_;
    sortUnique(cells);
    Sorted all{{}, {}, cells.size()};
    for (const auto& [row, column] : cells) {
      if (all.rows.empty() || all.rows.back() != row) all.rows.push_back(row);
      all.columns.push_back(column);
    }
    sortUnique(all.columns);
    return all;
  }
  static std::string part(const std::vector<uint32_t>& values) {
    const std::string first = std::to_string(values.front());
    if (values.size() == 1) return "[" + first + "]";
    const uint32_t last = values.back();
    // A constant stride, such as every other element, is shown as a step.
    const uint32_t step = (last - values.front()) / static_cast<uint32_t>(values.size() - 1);
    const bool even = step * (values.size() - 1) == last - values.front() && step > 1;
    return "[" + first + "…" + std::to_string(last) +
           (even ? " by " + std::to_string(step) : std::string()) + "]";
  }
  std::vector<std::pair<uint32_t, uint32_t>> cells_;
};

}  // namespace tilestep::model
