// SPDX-License-Identifier: Apache-2.0
#include "features/lab_times/times.h"

#include "lab/figures.h"
#include "metrics/coalescing.h"
#include "metrics/launch_time.h"
#include "metrics/occupancy.h"
#include "model/counted_work.h"
#include "model/device_rates.h"
#include "model/scene/traced_kernel.h"
#include "model/text/traffic.h"

namespace tilestep::model {
namespace {

/// Of all bytes that a launch moves: from this share of writes on it is taken to be a copy.
constexpr double kCopies = 0.25;

/// The hardware's counters, or null.
const device::HardwareCounters* hardwareOf(const lab::RunResult& result) {
  return result.hardware && result.hardware->refused.empty() ? &*result.hardware : nullptr;
}

std::optional<double> sumOf(const device::HardwareCounters& hardware, const char* first,
                            const char* second, double scale) {
  const device::HardwareFigure* a = hardware.find(first);
  const device::HardwareFigure* b = hardware.find(second);
  if (a == nullptr || b == nullptr) return std::nullopt;
  return (a->value + b->value) * scale;
}

metrics::LaunchShape shapeOf(const lab::RunResult& result) {
  const compile::Plan& plan = result.plan;
  metrics::LaunchShape shape;
  if (plan.launches.size() == 1) shape.blocks = plan.launches.front().grid.count();
  shape.bufferBytes = lab::compulsoryBytesOf(plan);
  if (const device::HardwareCounters* hardware = hardwareOf(result)) {
    shape.l2Bytes = sumOf(*hardware, "l2_read_sectors", "l2_write_sectors", metrics::kSectorBytes);
    shape.dramBytes = sumOf(*hardware, "dram_bytes_read", "dram_bytes_written", 1);
  }
  return shape;
}

bool isCopy(const compile::Plan& plan) {
  const auto all = static_cast<double>(lab::compulsoryBytesOf(plan));
  return all - static_cast<double>(lab::compulsoryReadBytesOf(plan)) >= kCopies * all;
}

metrics::DeviceRates ratesFor(const lab::RunResult& result, const device::Ceilings& ceilings) {
  metrics::DeviceRates rates = ratesOf(result.device, &ceilings);
  if (isCopy(result.plan) && ceilings.dramCopyBytesPerSecond)
    rates.dramBytesPerSecond = ceilings.dramCopyBytesPerSecond;
  return rates;
}

/// The instructions that warps execute: as the hardware counted, else as the program is written. A
/// GPU's own counts say what threads execute; warps execute at least a 32nd of that.
std::optional<double> instructionsOf(const lab::RunResult& result,
                                     const metrics::CountedWork& work) {
  if (const device::HardwareCounters* hardware = hardwareOf(result))
    if (const device::HardwareFigure* figure = hardware->find("instructions_executed"))
      return figure->value;
  if (work.warpInstructions || !result.counters) return work.warpInstructions;
  return static_cast<double>(result.counters->total.threadInstructions) / 32;
}

std::optional<metrics::BlocksInTurn> turnsOf(const lab::RunResult& result,
                                             const metrics::LaunchShape& shape,
                                             std::optional<double> instructions) {
  const auto occupancy = lab::occupancyOf(result.device, result);
  if (!occupancy || occupancy->blocks == 0 || shape.blocks == 0 || !instructions ||
      result.device.multiprocessors == 0)
    return std::nullopt;
  const uint64_t warps = (result.plan.launches.front().block.count() + 31) / 32;
  return metrics::BlocksInTurn{shape.blocks, occupancy->blocks, result.device.multiprocessors,
                               *instructions / static_cast<double>(shape.blocks * warps),
                               shape.bufferBytes <= result.device.l2Bytes};
}

metrics::LaunchTime predictedOf(const lab::RunResult& result, const LaunchWork& work,
                                const metrics::LaunchShape& shape, const metrics::Limits& limits,
                                const device::Ceilings& ceilings) {
  const auto latencies = latenciesOf(ceilings);
  const auto turns = turnsOf(result, shape, instructionsOf(result, work.counted));
  if (latencies && turns && work.waits)
    return metrics::launchTimeOf(limits, *work.waits, *latencies, *turns);
  return {limits.seconds, metrics::toText(limits.limit)};
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

std::optional<LaunchWork> launchWorkOf(const lab::RunResult& result) {
  if (!result.counters) return std::nullopt;
  LaunchWork work{countedWorkOf(result), std::nullopt};
  if (result.trace && !result.trace->truncated()) work.waits = metrics::blockWaitsOf(*result.trace);
  return work;
}

LabTime labTimeOf(const LabKernel& kernel, const lab::RunResult& result,
                  const std::optional<LaunchWork>& work, const device::Ceilings* ceilings) {
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
  metrics::CountedWork counted = work->counted;
  counted.warpInstructions = instructionsOf(result, counted);
  const metrics::LaunchShape shape = shapeOf(result);
  if (const auto limits = metrics::limitsOfLaunch(counted, shape, ratesFor(result, *own))) {
    const metrics::LaunchTime predicted = predictedOf(result, *work, shape, *limits, *own);
    time.predictedSeconds = predicted.seconds;
    time.limit = predicted.limit;
  }
  return time;
}

std::string predictionNote() {
  return "Predicted: from what was counted, and from rates and latencies measured on the same GPU. "
         "The blocks of a multiprocessor take turns at its resources, and each also waits for its "
         "own loads and barriers.";
}

}  // namespace tilestep::model
