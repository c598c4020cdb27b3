// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tilestep::metrics {

/// A quantity over time that changes in steps, 0 before the first of them. Its mean over any span
/// is found by two binary searches, so that a picture of any width costs the same however many
/// steps there are. A value; times are ns.
class StepSeries {
 public:
  struct Change {
    uint64_t ns = 0;
    double by = 0;
  };
  StepSeries() = default;
  /// Changes may come in any order; those at one time form one step.
  explicit StepSeries(std::vector<Change> changes);

  [[nodiscard]] size_t steps() const { return ns_.size(); }
  [[nodiscard]] double at(double ns) const;
  /// Mean over [from, to); `at(from)` where that is empty.
  [[nodiscard]] double mean(double from, double to) const;
  /// The area under the series up to `ns`.
  [[nodiscard]] double area(double ns) const;
  [[nodiscard]] double most() const { return most_; }

 private:
  std::vector<uint64_t> ns_;
  std::vector<double> level_, area_;  ///< From that step on; up to that step.
  double most_ = 0;
};

}  // namespace tilestep::metrics
