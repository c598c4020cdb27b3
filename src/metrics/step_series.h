// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tilestep::metrics {

/// A quantity over time that changes in steps and is 0 before the first step. A mean over a span
/// needs only two binary searches, so the cost of a picture depends on its width, not on the number
/// of steps. Times are in ns.
class StepSeries {
 public:
  struct Change {
    uint64_t ns = 0;
    double by = 0;
  };
  StepSeries() = default;
  /// Accepts changes in any order. Changes at the same time form one step.
  explicit StepSeries(std::vector<Change> changes);

  [[nodiscard]] size_t steps() const { return ns_.size(); }
  [[nodiscard]] double at(double ns) const;
  /// The mean over [from, to); `at(from)` if the span is empty.
  [[nodiscard]] double mean(double from, double to) const;
  [[nodiscard]] double area(double ns) const;
  [[nodiscard]] double most() const { return most_; }

 private:
  std::vector<uint64_t> ns_;
  /// level_ is the value after each step, area_ the area before it.
  std::vector<double> level_, area_;
  double most_ = 0;
};

}  // namespace tilestep::metrics
