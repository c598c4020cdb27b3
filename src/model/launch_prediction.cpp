// SPDX-License-Identifier: Apache-2.0
#include "model/launch_prediction.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "lab/figures.h"
#include "metrics/coalescing.h"
#include "metrics/occupancy.h"
#include "model/counted_work.h"
#include "model/device_rates.h"

namespace tilestep::model {
namespace {

/// A launch whose bytes are writes to at least this share is treated as a copy.
constexpr double kCopies = 0.25;

/// The hardware's counters; null if there are none.
const device::HardwareCounters* hardwareOf(const lab::RunResult& result) {
  return result.hardware && result.hardware->refused.empty() ? &*result.hardware : nullptr;
}

metrics::LaunchShape shapeOf(const lab::RunResult& result, const LaunchWork& work) {
  const compile::Plan& plan = result.plan;
  metrics::LaunchShape shape;
  if (plan.launches.size() == 1) shape.blocks = plan.launches.front().grid.count();
  shape.bufferBytes = lab::compulsoryBytesOf(plan);
  if (const device::HardwareCounters* hardware = hardwareOf(result)) {
    if (const auto sectors = hardware->sum("l2_read_sectors", "l2_write_sectors"))
      shape.l2Bytes = *sectors * metrics::kSectorBytes;
    shape.dramBytes = hardware->sum("dram_bytes_read", "dram_bytes_written");
  } else if (work.l2Bytes) {
    shape.l2Bytes = work.l2Bytes;
    // A launch may use only part of a large buffer. L2 receives requests for no more than that
    // part.
    shape.bufferBytes = std::min(shape.bufferBytes, static_cast<uint64_t>(*work.l2Bytes));
  }
  return shape;
}

bool isCopy(const compile::Plan& plan) {
  const auto all = static_cast<double>(lab::compulsoryBytesOf(plan));
  return all - static_cast<double>(lab::compulsoryReadBytesOf(plan)) >= kCopies * all;
}

metrics::DeviceRates ratesFor(const lab::RunResult& result, const device::DeviceInfo& device,
                              const device::Ceilings& ceilings) {
  metrics::DeviceRates rates = ratesOf(device, &ceilings);
  if (isCopy(result.plan) && ceilings.dramCopyBytesPerSecond)
    rates.dramBytesPerSecond = ceilings.dramCopyBytesPerSecond;
  return rates;
}

/// The number of instructions that warps execute: as counted by the hardware, otherwise as the
/// program is written. A GPU's own counts are per thread, and warps execute at least 1/32 of them.
std::optional<double> instructionsOf(const lab::RunResult& result,
                                     const metrics::CountedWork& work) {
  if (const device::HardwareCounters* hardware = hardwareOf(result))
    if (const device::HardwareFigure* figure = hardware->find("instructions_executed"))
      return figure->value;
  if (work.warpInstructions || !result.counters) return work.warpInstructions;
  return static_cast<double>(result.counters->total.threadInstructions) / 32;
}

std::optional<metrics::BlocksInTurn> turnsOf(const lab::RunResult& result,
                                             const device::DeviceInfo& device,
                                             const std::optional<metrics::Occupancy>& occupancy,
                                             const metrics::LaunchShape& shape,
                                             std::optional<double> instructions) {
  if (!occupancy || occupancy->blocks == 0 || shape.blocks == 0 || !instructions ||
      device.multiprocessors == 0)
    return std::nullopt;
  const uint64_t warps = (result.plan.launches.front().block.count() + 31) / 32;
  return metrics::BlocksInTurn{shape.blocks, occupancy->blocks, device.multiprocessors,
                               *instructions / static_cast<double>(shape.blocks * warps),
                               shape.bufferBytes <= device.l2Bytes};
}

/// Properties of a launch that its counts do not determine.
struct Assumed {
  std::optional<metrics::Occupancy> occupancy;
  metrics::BlockUse use = metrics::BlockUse::inTurn;
  bool merged = false;  ///< The assembler merges all shared loads that it is allowed to merge.
};

std::optional<metrics::LaunchTime> timeAt(const Assumed& assumed, const lab::RunResult& result,
                                          const LaunchWork& work, const device::DeviceInfo& device,
                                          const device::Ceilings& ceilings) {
  metrics::CountedWork counted = work.counted;
  counted.warpInstructions = instructionsOf(result, counted);
  const metrics::LaunchShape shape = shapeOf(result, work);
  auto limits = metrics::limitsOfLaunch(counted, shape, ratesFor(result, device, ceilings));
  if (!limits) return std::nullopt;
  if (assumed.merged) limits = metrics::mergedLimits(std::move(*limits));
  const auto latencies = latenciesOf(ceilings);
  const auto turns = turnsOf(result, device, assumed.occupancy, shape, counted.warpInstructions);
  if (latencies && turns && work.waits)
    return metrics::launchTimeOf(*limits, *work.waits, *latencies, *turns, assumed.use);
  return metrics::LaunchTime{limits->seconds, metrics::toText(limits->limit)};
}

double warpsOf(const Launch& launch) {
  return static_cast<double>(launch.grid.count()) *
         static_cast<double>((launch.block.count() + 31) / 32);
}

/// See kMostUnknownRegisters.
uint32_t mostRegistersOf(const lab::RunResult& result, const LaunchWork& work) {
  const double instructions = instructionsOf(result, work.counted).value_or(INFINITY) /
                              warpsOf(result.plan.launches.front());
  return static_cast<uint32_t>(std::clamp(2 * instructions, 1.0, double{kMostUnknownRegisters}));
}

/// Whether a warp loads so often between two waits that the machine code determines how many of its
/// loads wait together. The model assumes that all of them do. `result` has counters and one
/// launch.
bool waitsAreUnknown(const lab::RunResult& result, const metrics::BlockWaits& waits) {
  constexpr double kMostLoadsAWait = 8;
  const double loads = static_cast<double>(result.counters->total.globalLoad.requests) /
                       warpsOf(result.plan.launches.front());
  return loads > kMostLoadsAWait * std::max(1.0, waits.beyondL1 + waits.l1);
}

/// The reason why the model cannot predict the launch; empty if it can.
std::string whyNot(const lab::RunResult& result, const std::optional<LaunchWork>& work,
                   const device::DeviceInfo& device, const device::Ceilings& ceilings) {
  const std::vector<Launch>& launches = result.plan.launches;
  const auto isLate = [](const device::Fault& fault) {
    return fault.kind == "timeout" || fault.kind == "time-limit";
  };
  if (std::ranges::any_of(result.faults, isLate))
    return "The interpreter did not finish the launch in time.";
  if (std::ranges::any_of(result.faults, device::endsLaunch))
    return "The launch was stopped by a fault.";
  if (!work || result.blockAlone) return "The launch was not counted completely.";
  if (launches.size() != 1) return "The run has several launches.";
  if (launches.front().cooperative)
    return "All blocks of a cooperative launch wait for each other, which the model does not "
           "include.";
  if (!result.withoutAtomics.empty())
    return "The kernel uses atomic operations, whose cost was not measured.";
  if (result.asyncCopies || work->copies)
    return "The kernel copies asynchronously, and it is not known how much waiting that hides.";
  if (result.hasCostlyWork)
    return "The kernel computes in f64, divides, takes roots, calls functions or uses local "
           "memory, whose cost was not measured.";
  if (!work->waits) return "The trace of a block is too long to be kept completely.";
  if (waitsAreUnknown(result, *work->waits))
    return "Its warps load many times with no barrier in between, and only the machine code shows "
           "how many of these loads wait together.";
  if (!latenciesOf(ceilings)) return "The memory latencies of " + device.name + " are not known.";
  return {};
}

}  // namespace

bool isNear(double ratio) {
  return ratio <= 1 + kNearPrediction && ratio >= 1 / (1 + kNearPrediction);
}

std::optional<LaunchWork> launchWorkOf(const lab::RunResult& result) {
  if (!result.counters) return std::nullopt;
  LaunchWork work{countedWorkOf(result), std::nullopt, std::nullopt, false};
  if (!result.trace || result.trace->truncated()) return work;
  const trace::Counters& total = result.counters->total;
  work.waits = metrics::blockWaitsOf(*result.trace);
  work.copies = hasCopies(*result.trace);
  work.l2Bytes = metrics::kSectorBytes * (static_cast<double>(total.globalLoad.sectors) *
                                              metrics::shareBeyondL1(*result.trace) +
                                          static_cast<double>(total.globalStore.sectors));
  return work;
}

std::optional<metrics::LaunchTime> predictedTime(const lab::RunResult& result,
                                                 const LaunchWork& work,
                                                 const device::DeviceInfo& device,
                                                 const device::Ceilings& ceilings) {
  return timeAt({lab::occupancyOf(device, result)}, result, work, device, ceilings);
}

Result<PredictedSpan> predictedSpan(const lab::RunResult& result,
                                    const std::optional<LaunchWork>& work,
                                    const device::DeviceInfo& device,
                                    const device::Ceilings& ceilings) {
  if (const std::string why = whyNot(result, work, device, ceilings); !why.empty())
    return workError(why);
  const auto sm = lab::multiprocessorOf(device);
  if (!sm) return workError("The limits on resident blocks of " + device.name + " are not known.");
  PredictedSpan span;
  for (const uint32_t unknown : {0U, mostRegistersOf(result, *work)}) {
    const auto occupancy = metrics::occupancy(
        *sm, lab::needsOf(result.plan, result.sharedBytes, result.registers.value_or(unknown)));
    if (occupancy.blocks == 0)
      return workError("A block of the launch does not fit on " + device.name + ".");
    for (const bool merged : {false, true}) {
      const auto time = timeAt({occupancy, metrics::BlockUse::overlapped, merged}, result, *work,
                               device, ceilings);
      if (!time) return workError("The launch uses no resource whose rate is known.");
      if (span.low == 0 || time->seconds < span.low) span.low = time->seconds;
      if (time->seconds <= span.high) continue;
      span.high = time->seconds;
      span.limit = time->limit;
    }
  }
  return span;
}

double PredictedSpan::middle() const {
  return std::sqrt(low * high);
}

}  // namespace tilestep::model
