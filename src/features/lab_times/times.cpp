// SPDX-License-Identifier: Apache-2.0
#include "features/lab_times/times.h"

#include "lab/figures.h"
#include "model/device_rates.h"
#include "model/scene/traced_kernel.h"
#include "model/text/traffic.h"

namespace tilestep::model {
namespace {

/// Of all bytes that a launch moves: from this share of writes on it is taken to be a copy.
constexpr double kCopies = 0.25;

metrics::LaunchShape shapeOf(const compile::Plan& plan) {
  metrics::LaunchShape shape;
  if (plan.launches.size() == 1) shape.blocks = plan.launches.front().grid.count();
  shape.bufferBytes = lab::compulsoryBytesOf(plan);
  return shape;
}

bool isCopy(const compile::Plan& plan) {
  const auto all = static_cast<double>(lab::compulsoryBytesOf(plan));
  return all - static_cast<double>(lab::compulsoryReadBytesOf(plan)) >= kCopies * all;
}

std::optional<metrics::Limits> limitsOf(const lab::RunResult& result, metrics::CountedWork work,
                                        const device::Ceilings* ceilings) {
  metrics::DeviceRates rates = ratesOf(result.device, ceilings);
  if (isCopy(result.plan) && ceilings->dramCopyBytesPerSecond)
    rates.dramBytesPerSecond = ceilings->dramCopyBytesPerSecond;
  // A GPU's counts say what threads execute. Warps execute at least a 32nd of that.
  if (!work.warpInstructions && result.counters)
    work.warpInstructions = static_cast<double>(result.counters->total.threadInstructions) / 32;
  return metrics::limitsOfLaunch(work, shapeOf(result.plan), rates);
}

}  // namespace

bool isNear(double ratio) {
  return ratio <= 1 + kNearPrediction && ratio >= 1 / (1 + kNearPrediction);
}

LabTime labTimeOf(const LabKernel& kernel) {
  LabTime time;
  time.name = kernel.name;
  time.kernel = kernel.label.empty() ? shortNameOf(kernel.name) : kernel.label;
  for (const auto& [name, value] : timedTunablesOf(kernel))
    time.tunables += (time.tunables.empty() ? "" : ", ") + name + " " + std::to_string(value);
  time.sizes = sizesText(kernel.timedSizes);
  time.quoted = kernel.quoted;
  return time;
}

LabTime labTimeOf(const LabKernel& kernel, const lab::RunResult& result,
                  const std::optional<metrics::CountedWork>& work,
                  const device::Ceilings* ceilings) {
  LabTime time = labTimeOf(kernel);
  if (result.measurement && result.measurement->medianMs > 0) {
    time.measuredSeconds = result.measurement->medianMs / 1e3;
    time.on = deviceText(result.device);
    time.readBytes = lab::compulsoryReadBytesOf(result.plan);
  } else {
    time.gap = result.nearest ? result.nearest->why : "This device gives no times.";
  }
  const device::Ceilings* own = result.machineCeilings ? &*result.machineCeilings : ceilings;
  if (own != nullptr) time.readCeiling = own->dramBytesPerSecond;
  if (!work || own == nullptr) return time;
  if (const auto limits = limitsOf(result, *work, own)) {
    time.predictedSeconds = limits->seconds;
    time.limit = limits->limit;
  }
  return time;
}

std::string predictionNote() {
  return "Predicted: the time that the busiest part of the device needs for what was counted. It "
         "leaves out starting the kernel, waiting for memory with too few requests on their way, "
         "and waiting at barriers.";
}

}  // namespace tilestep::model
