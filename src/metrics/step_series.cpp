// SPDX-License-Identifier: Apache-2.0
#include "metrics/step_series.h"

#include <algorithm>

namespace tilestep::metrics {
namespace {

/// The number of steps at or before `ns`.
size_t stepsUpTo(const std::vector<uint64_t>& steps, double ns) {
  const auto behind = std::ranges::upper_bound(
      steps, ns, {}, [](uint64_t step) { return static_cast<double>(step); });
  return static_cast<size_t>(behind - steps.begin());
}

}  // namespace

StepSeries::StepSeries(std::vector<Change> changes) {
  std::ranges::sort(changes, {}, &Change::ns);
  double level = 0, area = 0;
  for (size_t i = 0; i < changes.size();) {
    const uint64_t now = changes[i].ns;
    if (!ns_.empty()) area += level * static_cast<double>(now - ns_.back());
    for (; i < changes.size() && changes[i].ns == now; ++i) level += changes[i].by;
    ns_.push_back(now);
    level_.push_back(level);
    area_.push_back(area);
    most_ = std::max(most_, level);
  }
}

double StepSeries::at(double ns) const {
  const size_t steps = stepsUpTo(ns_, ns);
  return steps == 0 ? 0 : level_[steps - 1];
}

double StepSeries::area(double ns) const {
  const size_t steps = stepsUpTo(ns_, ns);
  if (steps == 0) return 0;
  return area_[steps - 1] + level_[steps - 1] * (ns - static_cast<double>(ns_[steps - 1]));
}

double StepSeries::mean(double from, double to) const {
  return to > from ? (area(to) - area(from)) / (to - from) : at(from);
}

}  // namespace tilestep::metrics
