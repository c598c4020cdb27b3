// SPDX-License-Identifier: Apache-2.0
#include "app/best/best_recorded.h"

#include <algorithm>
#include <set>

#include "base/nearest_name.h"

namespace tilestep::app {
namespace {

bool isChosen(const compile::Bindings& tunables, const std::vector<lab::Axis>& chosen) {
  return std::ranges::all_of(chosen, [&](const lab::Axis& axis) {
    const auto at = tunables.find(axis.names.front());
    return at == tunables.end() || std::ranges::find(axis.values, at->second) != axis.values.end();
  });
}

}  // namespace

Result<RecordedBest> bestRecorded(const lab::DeviceRecording& recording,
                                  const compile::KernelSpec& spec, uint64_t code,
                                  const compile::Bindings& sizes,
                                  const std::vector<lab::Axis>& chosen) {
  RecordedBest best;
  std::set<std::string> elsewhere;
  for (const lab::RecordedPoint& point : recording.points) {
    if (!point.measurement || !isChosen(point.tunables, chosen)) continue;
    if (!lab::isPointOf(recording, point, spec, code)) continue;
    if (point.sizes != sizes) {
      elsewhere.insert(lab::pointText(point.sizes, {}));
      continue;
    }
    const double ms = point.measurement->medianMs;
    if (++best.points > 1 && ms >= best.medianMs) continue;
    best.medianMs = ms;
    best.tunables = point.tunables;
    best.device = lab::deviceOf(recording, &point);
  }
  if (best.points > 0) return best;
  constexpr size_t kMost = 8;
  std::vector<std::string> some(elsewhere.begin(), elsewhere.end());
  const bool more = some.size() > kMost;
  some.resize(std::min(some.size(), kMost));
  return requestError("the recording of " + recording.device.name + " has no times of " +
                      spec.name + " at " + lab::pointText(sizes, {}) +
                      (some.empty()
                           ? " or any other size with this code, launch and tunables"
                           : "; it has some at " + listed(some) + (more ? " and more" : "")));
}

}  // namespace tilestep::app
