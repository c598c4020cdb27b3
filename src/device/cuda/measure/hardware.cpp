// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/measure/hardware.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "device/hardware_metrics.h"

namespace tilestep::cuda {
namespace {

/// Passes that CUPTI may need beyond the announced number before this is an error.
constexpr size_t kSparePasses = 8;

device::HardwareCounters refused(const Error& error) {
  device::HardwareCounters counters;
  counters.refused = error.message;
  return counters;
}

/// The outcome of a pass. An Error in `job` ends the job; an Error in `profiler` ends only the
/// counting.
struct PassEnd {
  Status job, profiler;
  bool last = false;
};

PassEnd makePass(RangeProfiler& profiler, const Replay& replay) {
  PassEnd end;
  if (end.profiler = profiler.beginPass(); !end.profiler) return end;
  if (end.job = replay.prepare(); !end.job) return end;
  if (end.profiler = profiler.beginRange(); !end.profiler) return end;
  if (end.job = replay.run(); !end.job) return end;
  const Result<bool> last = profiler.endPass();
  if (!last) {
    end.profiler = last.error();
  } else {
    end.last = *last;
  }
  return end;
}

/// For each choice, the first metric that the chip has.
std::vector<const char*> knownMetrics(const RangeProfiler& profiler) {
  std::vector<const char*> known;
  for (const device::MetricChoice& choice : device::metricChoices()) {
    for (const char* metric : choice.metrics) {
      if (!profiler.knows(metric)) continue;
      known.push_back(metric);
      break;
    }
  }
  return known;
}

/// Values under Tilestep's names; metrics without a value are omitted.
std::vector<device::HardwareFigure> figuresOf(const std::vector<const char*>& metrics,
                                              const std::vector<double>& values) {
  std::vector<device::HardwareFigure> figures;
  for (const device::MetricChoice& choice : device::metricChoices()) {
    for (size_t i = 0; i < metrics.size(); ++i) {
      const auto of = std::ranges::find(choice.metrics, metrics[i]);
      if (of == choice.metrics.end() || !std::isfinite(values[i])) continue;
      figures.push_back({choice.name, metrics[i], choice.unit, values[i] * choice.scale});
    }
  }
  return figures;
}

}  // namespace

Result<device::HardwareCounters> readHardware(const cupti::Library& library,
                                              const ProfiledDevice& device, const Replay& replay) {
  RangeProfiler profiler(library);
  if (Status s = profiler.start(device); !s) return refused(s.error());
  const auto metrics = profiler.choose(knownMetrics(profiler));
  if (!metrics) return refused(metrics.error());
  if (Status s = profiler.enable(); !s) return refused(s.error());
  device::HardwareCounters counters;
  for (bool last = false; !last; ++counters.passes) {
    if (counters.passes >= profiler.announcedPasses() + kSparePasses) {
      return refused(
          requestError("No hardware counters: CUPTI needs more passes than it had "
                       "announced; check that its version matches the driver."));
    }
    const PassEnd end = makePass(profiler, replay);
    if (!end.job) return end.job.error();
    if (!end.profiler) return refused(end.profiler.error());
    last = end.last;
  }
  const Result<std::vector<double>> values = profiler.values();
  if (!values) return refused(values.error());
  counters.figures = figuresOf(*metrics, *values);
  return counters;
}

}  // namespace tilestep::cuda
