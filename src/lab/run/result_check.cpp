// SPDX-License-Identifier: Apache-2.0
#include "lab/run/result_check.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "device/ceiling_keys.h"
#include "trace/named_counts.h"

namespace tilestep::lab {
namespace {

/// Far above what a GPU counts in hours; sums of a few thousand epochs stay below 2^64.
constexpr uint64_t kMostCount = uint64_t{1} << 51;
constexpr double kMostMs = 1e9;
/// Elements, bytes and sizes: no machine has as many, and products of two fit 128 bits only.
constexpr uint64_t kMostElements = uint64_t{1} << 48;
constexpr uint64_t kMostThreads = 1024, kMostGridX = (uint64_t{1} << 31) - 1, kMostGridYz = 65535;
constexpr size_t kMostListed = 1 << 16, kMostOperands = 256, kMostPixels = 1 << 22;

bool isTime(double ms) {
  return std::isfinite(ms) && ms > 0 && ms <= kMostMs;
}
bool isAmount(double value) {
  return std::isfinite(value) && value >= 0;
}
bool isAmount(const std::optional<double>& value) {
  return !value || isAmount(*value);
}

Status checkLaunch(const Launch& launch) {
  const Dim3& grid = launch.grid;
  const Dim3& block = launch.block;
  if (block.x == 0 || block.y == 0 || block.z == 0 || block.x > kMostThreads ||
      block.y > kMostThreads || block.z > kMostThreads || block.count() > kMostThreads)
    return workError("a block has no threads, or more than 1024");
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.x > kMostGridX || grid.y > kMostGridYz ||
      grid.z > kMostGridYz || grid.count() / grid.z / grid.y != grid.x)
    return workError("a grid has no blocks, or more than CUDA allows");
  return {};
}

Status checkOperand(const compile::ResolvedOperand& operand) {
  if (operand.rows > kMostElements || operand.columns > kMostElements ||
      operand.elements > kMostElements)
    return workError("operand " + operand.spec.name + " has more elements than any memory holds");
  const bool isMatrix = operand.rows > 0;
  if (isMatrix != (operand.columns > 0))
    return workError("operand " + operand.spec.name +
                     " has rows without columns, or columns without rows");
  if (isMatrix && operand.elements / operand.columns < operand.rows)
    return workError("operand " + operand.spec.name +
                     " has fewer elements than rows times columns");
  if (!std::isfinite(operand.scalar))
    return workError("operand " + operand.spec.name + " is not a number");
  return {};
}

Status checkShared(const compile::Plan::Shared& shared) {
  constexpr int64_t kMost = 1 << 24;
  if (shared.rows < 1 || shared.columns < 1 || shared.rows > kMost || shared.columns > kMost ||
      shared.offset < -1 || shared.offset > kMost)
    return workError("the shared array " + shared.name +
                     " has no rows or no columns, or too many, or begins before its window");
  return {};
}

Status checkPlan(const compile::Plan& plan) {
  if (plan.launches.size() > kMostListed || plan.operands.size() > kMostOperands ||
      plan.shared.size() > kMostOperands)
    return workError(
        "the plan has more launches, operands or shared arrays than a kernel can have");
  for (const Launch& launch : plan.launches)
    if (Status checked = checkLaunch(launch); !checked) return checked;
  for (const compile::ResolvedOperand& operand : plan.operands)
    if (Status checked = checkOperand(operand); !checked) return checked;
  for (const compile::Plan::Shared& shared : plan.shared)
    if (Status checked = checkShared(shared); !checked) return checked;
  for (const auto& [name, size] : plan.sizes)
    if (size < 0 || static_cast<uint64_t>(size) > kMostElements)
      return workError("size " + name + " is " + std::to_string(size));
  if (plan.phases < 0 || plan.phaseLength < 0 || !isAmount(plan.operations))
    return workError("the plan has a negative number of phases or operations");
  return {};
}

Status checkCheck(const RunResult& result) {
  const Check& check = *result.check;
  if (!isAmount(check.scaledError) || !isAmount(check.bound))
    return workError("the error of the check is not a number");
  const bool isClean = check.unwritten == 0 && check.nonFinite == 0 && check.wrong == 0 &&
                       (check.reference.empty() || check.scaledError <= check.bound);
  if (check.ok && !isClean) return workError("a result with wrong elements is called right");
  if (check.wrong > check.compared) return workError("more elements are wrong than were compared");
  if (!check.firstWrong) return {};
  const WrongElement& wrong = *check.firstWrong;
  if (wrong.operand >= result.plan.operands.size() ||
      wrong.element >= result.plan.operands[wrong.operand].elements)
    return workError("the first wrong element lies outside its operand");
  return {};
}

Status checkPicture(const RunResult& result, const Picture& picture) {
  const uint64_t pixels = uint64_t{picture.height} * picture.width;
  if (picture.operand >= result.plan.operands.size() || pixels == 0 || pixels > kMostPixels ||
      picture.values.size() != pixels)
    return workError(
        "a picture has another number of values than pixels, or belongs to no operand");
  if (picture.rows > kMostElements || picture.columns > kMostElements || picture.rows == 0 ||
      picture.columns == 0)
    return workError("a picture is of an operand without rows or columns");
  return {};
}

Status checkTrace(const RunResult& result) {
  const trace::Recording& trace = *result.trace;
  if (result.plan.launches.empty()) return workError("a trace belongs to no launch");
  const Launch& launch = result.plan.launches.front();
  const Dim3& block = trace.block;
  const bool isBlock =
      block.x < launch.grid.x && block.y < launch.grid.y && block.z < launch.grid.z;
  if (!isBlock || trace.blockShape != launch.block)
    return workError("a trace is of a block that was not launched");
  for (size_t i = 0; i < trace.size(); ++i) {
    const trace::TraceEvent event = trace.event(i);
    if (event.space == trace::Space::global && event.buffer >= 0 &&
        static_cast<size_t>(event.buffer) >= result.plan.operands.size())
      return workError("a trace names an operand that does not exist");
  }
  return {};
}

Status checkFigures(const RunResult& result) {
  if (!isAmount(result.compiler.ms) || !isAmount(result.wallSeconds) ||
      !isAmount(result.tracePrice) || !isAmount(result.countingPrice))
    return workError("a time is negative or not a number");
  if (result.hardware) {
    if (result.hardware->figures.size() > kMostListed)
      return workError("there are more hardware counters than a GPU has");
    for (const device::HardwareFigure& figure : result.hardware->figures)
      if (!isAmount(figure.value) || figure.value > 1e18)
        return workError("the hardware counter " + figure.name + " is not a count");
  }
  if (result.registers.value_or(0) > kMostListed)
    return workError("a thread has more registers than a multiprocessor");
  if (result.machine && result.machine->activeBlocks > kMostThreads)
    return workError("more blocks reside on a multiprocessor than threads");
  if (result.faults.size() > kMostListed ||
      (result.hazards && result.hazards->size() > kMostListed))
    return workError("there are more faults or hazards than are ever listed");
  return {};
}

}  // namespace

Status checkMeasurement(const device::Measurement& m) {
  for (const double ms : {m.medianMs, m.minMs, m.p10Ms, m.p90Ms}) {
    if (!isTime(ms)) return workError("a time is not above 0 ms");
  }
  if (m.coldMedianMs && !isTime(*m.coldMedianMs)) return workError("a time is not above 0 ms");
  if (m.minMs > m.p10Ms || m.p10Ms > m.medianMs || m.medianMs > m.p90Ms)
    return workError("its times are not in order: min, p10, median, p90");
  if (m.repetitions == 0 || m.batch == 0) return workError("its time has no samples");
  if (!(m.spread >= 0)) return workError("its spread is below 0");
  if (m.powerWatts && !(*m.powerWatts > 0)) return workError("its power is not above 0 W");
  return {};
}

Status checkCounts(const trace::Counters& counters) {
  for (const trace::NamedCount& count : trace::namedCounts(counters))
    if (count.value > kMostCount) return workError("more " + count.name + " than can be counted");
  return {};
}

Status checkDevice(const device::DeviceInfo& device) {
  constexpr uint32_t kMost = 1 << 20;
  for (const uint32_t number :
       {device.multiprocessors, device.registersPerMultiprocessor, device.threadsPerMultiprocessor,
        device.blocksPerMultiprocessor, device.clockMhz, device.limits.threadsPerBlock})
    if (number > kMost)
      return workError("a figure of the device " + device.name + " is larger than that of any GPU");
  return {};
}

Status checkCeilings(const device::Ceilings& ceilings) {
  for (const device::CeilingKey& key : device::kCeilingKeys) {
    const std::optional<double>& value = ceilings.*key.value;
    if (value && !(std::isfinite(*value) && *value > 0))
      return workError(std::string("the ceiling ") + key.key + " is not a number above 0");
  }
  return ceilings.facts ? checkDevice(*ceilings.facts) : Status();
}

Status checkResult(const RunResult& result) {
  if (Status checked = checkPlan(result.plan); !checked) return checked;
  if (Status checked = checkDevice(result.device); !checked) return checked;
  if (Status checked = checkFigures(result); !checked) return checked;
  if (result.nothingToCompare && (result.check || result.checkNote.empty()))
    return workError("a result that was compared with nothing is judged, or nothing says why");
  if (result.check)
    if (Status checked = checkCheck(result); !checked) return checked;
  if (result.measurement)
    if (Status checked = checkMeasurement(*result.measurement); !checked) return checked;
  if (result.counters) {
    if (Status checked = checkCounts(result.counters->total); !checked) return checked;
    for (const trace::Counters& epoch : result.counters->epochs)
      if (Status checked = checkCounts(epoch); !checked) return checked;
  }
  for (const Picture& picture : result.pictures)
    if (Status checked = checkPicture(result, picture); !checked) return checked;
  if (result.trace)
    if (Status checked = checkTrace(result); !checked) return checked;
  return result.machineCeilings ? checkCeilings(*result.machineCeilings) : Status();
}

}  // namespace tilestep::lab
