// SPDX-License-Identifier: Apache-2.0
#include "lab/run/result_check.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace tilestep::lab {
namespace {

/// More elements, bytes or sizes than any machine has. A product of two such values needs 128 bits.
constexpr uint64_t kMostElements = uint64_t{1} << 48;
constexpr uint64_t kMostBlockThreads = 1024, kMostGridX = (uint64_t{1} << 31) - 1,
                   kMostGridYz = 65535;
constexpr size_t kMostListed = 1 << 16, kMostOperands = 256, kMostPixels = 1 << 22;

Status checkLaunch(const Launch& launch) {
  const Dim3& grid = launch.grid;
  const Dim3& block = launch.block;
  if (block.x == 0 || block.y == 0 || block.z == 0 || block.x > kMostBlockThreads ||
      block.y > kMostBlockThreads || block.z > kMostBlockThreads ||
      block.count() > kMostBlockThreads)
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
    return workError("operand " + operand.spec.name + " has a value that is not finite");
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
  if (plan.phases < 0 || plan.phaseLength < 0 || !std::isfinite(plan.operations))
    return workError(
        "the plan has a negative number of phases, or operations that are not a number");
  return {};
}

Status checkWrongElement(const RunResult& result, const WrongElement& wrong) {
  if (wrong.operand < result.plan.operands.size() &&
      wrong.element < result.plan.operands[wrong.operand].elements)
    return {};
  return workError("the first wrong element lies outside its operand");
}

Status checkPicture(const RunResult& result, const Picture& picture) {
  const uint64_t pixels = uint64_t{picture.height} * picture.width;
  if (picture.operand >= result.plan.operands.size() || pixels == 0 || pixels > kMostPixels ||
      picture.values.size() != pixels)
    return workError("a picture's pixel count and value count differ, or it belongs to no operand");
  if (picture.rows > kMostElements || picture.columns > kMostElements || picture.rows == 0 ||
      picture.columns == 0)
    return workError("a picture is of an operand without rows or columns");
  return {};
}

Status checkTrace(const RunResult& result) {
  const trace::BlockTrace& trace = *result.trace;
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

}  // namespace

Status checkResult(const RunResult& result) {
  if (Status checked = checkPlan(result.plan); !checked) return checked;
  if (result.check && result.check->firstWrong)
    if (Status checked = checkWrongElement(result, *result.check->firstWrong); !checked)
      return checked;
  for (const std::vector<Picture>* pictures : {&result.pictures, &result.given})
    for (const Picture& picture : *pictures)
      if (Status checked = checkPicture(result, picture); !checked) return checked;
  return result.trace ? checkTrace(result) : Status();
}

uint32_t sourceLinesOf(std::string_view text) {
  return static_cast<uint32_t>(std::count(text.begin(), text.end(), '\n')) + 1;
}

Status checkLines(const RunResult& result, uint32_t lines) {
  uint32_t last = 0;
  const auto see = [&last](uint32_t line) { last = std::max(last, line); };
  if (result.trace)
    for (size_t i = 0; i < result.trace->size(); ++i) see(result.trace->event(i).line);
  for (const device::Fault& fault : result.faults) see(fault.at.line);
  if (result.hazards) {
    for (const device::Hazard& hazard : *result.hazards) {
      see(hazard.first.line);
      see(hazard.second.line);
    }
  }
  for (const device::Printed& printed : result.printed) see(printed.at.line);
  for (const UncertainCounts& counts : result.uncertain) see(counts.line);
  if (last <= lines) return {};
  return workError("a result names line " + std::to_string(last) + " of a source of " +
                   std::to_string(lines) + (lines == 1 ? " line" : " lines"));
}

}  // namespace tilestep::lab
