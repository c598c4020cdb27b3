// SPDX-License-Identifier: Apache-2.0
#include "metrics/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace tilestep::metrics {
namespace {

double percentileOfSorted(const std::vector<double>& sorted, double p) {
  if (sorted.empty()) return std::numeric_limits<double>::quiet_NaN();
  const double rank = std::clamp(p, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(std::floor(rank));
  const size_t above = std::min(below + 1, sorted.size() - 1);
  const double share = rank - static_cast<double>(below);
  return sorted[below] + share * (sorted[above] - sorted[below]);
}

std::vector<double> sortedCopy(std::span<const double> sample) {
  std::vector<double> sorted(sample.begin(), sample.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

}  // namespace

double percentile(std::span<const double> sample, double p) {
  return percentileOfSorted(sortedCopy(sample), p);
}

double median(std::span<const double> sample) {
  return percentile(sample, 0.5);
}

double Summary::spread() const {
  return median == 0 ? 0 : (p90 - p10) / median;
}

Summary summarize(std::span<const double> sample) {
  if (sample.empty()) return {};
  const std::vector<double> sorted = sortedCopy(sample);
  return {percentileOfSorted(sorted, 0.5), sorted.front(), percentileOfSorted(sorted, 0.1),
          percentileOfSorted(sorted, 0.9), sorted.size()};
}

}  // namespace tilestep::metrics
