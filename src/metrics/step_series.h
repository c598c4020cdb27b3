// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tilestep::metrics {

/// A quantity over time that changes in steps, 0 before the first one. The mean over a span takes
/// two binary searches, so that the cost of a picture depends on its width, not on the number of
/// steps. A value; times are in ns.
class StepSeries {
 public:
  struct Change {
    uint64_t ns = 0;
    double by = 0;
  };
  StepSeries() = default;
  /// Changes in any order; those with equal times form one step.
  explicit StepSeries(std::vector<Change> changes);

  [[nodiscard]] size_t steps() const { return ns_.size(); }
  [[nodiscard]] double at(double ns) const;
  /// Mean over [from, to); `at(from)` if the span is empty.
  [[nodiscard]] double mean(double from, double to) const;
  /// The area under the series up to `ns`.
  [[nodiscard]] double area(double ns) const;
  [[nodiscard]] double most() const { return most_; }

 private:
  std::vector<uint64_t> ns_;
  std::vector<double> level_, area_;  ///< From each step on; up to each step.
  double most_ = 0;
};

}  // namespace tilestep::metrics
