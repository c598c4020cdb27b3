// SPDX-License-Identifier: Apache-2.0
#include "checkers/kernel_runs.h"

#include <algorithm>
#include <set>

namespace tilestep::checkers {
namespace {

/// A size that is not a power of two and gives more than one block in each direction; 1-D kernels
/// get a few blocks.
int64_t oddSize(const compile::KernelSpec& spec, const std::string& name, size_t variant) {
  static const int64_t kRectangle[3][3] = {{37, 45, 29}, {33, 7, 18}, {5, 70, 41}};
  static const int64_t kLength[3] = {5003, 1000, 77};
  const bool matrix = spec.sizes.contains("m") || spec.sizes.contains("k");
  if (!matrix) return kLength[variant];
  const size_t which = name == "m" ? 0 : name == "n" ? 1 : 2;
  return kRectangle[variant][which];
}

compile::Bindings sizesOf(const compile::KernelSpec& spec, size_t variant) {
  compile::Bindings sizes;
  for (const auto& [name, value] : spec.sizes) {
    const bool usual = name == "m" || name == "n" || name == "k";
    sizes[name] = usual ? oddSize(spec, name, variant) : std::min<int64_t>(value, 37);
  }
  return sizes;
}

std::set<int64_t> valuesOf(const compile::TunableSpec& tunable) {
  if (!tunable.values.empty()) return {tunable.values.begin(), tunable.values.end()};
  const int64_t small = std::min(tunable.maximum, tunable.minimum + 4 * tunable.step);
  return {tunable.minimum, small, tunable.defaultValue, std::min<int64_t>(tunable.maximum, 32)};
}

}  // namespace

std::string toText(const Point& point) {
  std::string text;
  for (const auto* bindings : {&point.sizes, &point.tunables}) {
    for (const auto& [name, value] : *bindings) {
      text += (text.empty() ? "" : " ") + name + "=" + std::to_string(value);
    }
  }
  return text;
}

std::vector<Point> pointsOf(const compile::KernelSpec& spec, bool few) {
  std::vector<Point> points;
  for (size_t variant = 0; variant < 3; ++variant) points.push_back({sizesOf(spec, variant), {}});
  if (few) return points;
  for (const compile::TunableSpec& tunable : spec.tunables) {
    for (const int64_t value : valuesOf(tunable)) {
      for (const size_t variant : {0, 2}) {
        points.push_back({sizesOf(spec, variant), {{tunable.name, value}}});
      }
    }
  }
  return points;
}

Result<lab::RunResult> runChecked(lab::Lab& lab, const compile::KernelSource& source,
                                  const Point& point, double timeoutSeconds) {
  lab::Experiment experiment;
  experiment.source = source;
  experiment.sizes = point.sizes;
  experiment.tunables = point.tunables;
  experiment.device = "simt";
  experiment.measure = false;
  experiment.check = true;
  experiment.timeoutSeconds = timeoutSeconds;
  return lab.run(experiment, {}, {});
}

std::vector<std::string> wrongsOf(const lab::RunResult& result) {
  std::vector<std::string> wrongs;
  for (const device::Fault& fault : result.faults)
    wrongs.push_back(fault.kind + ": " + fault.message);
  if (result.hazards) {
    for (const device::Hazard& hazard : *result.hazards) {
      wrongs.push_back(hazard.kind + ": " + hazard.message);
    }
  }
  if (result.check && !result.check->ok) wrongs.push_back("result: differs from the reference");
  return wrongs;
}

}  // namespace tilestep::checkers
