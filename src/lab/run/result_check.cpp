// SPDX-License-Identifier: Apache-2.0
#include "lab/run/result_check.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "lab/run/device_check.h"
#include "lab/run/line_check.h"
#include "trace/named_counts.h"

namespace tilestep::lab {
namespace {

/// Far above what a GPU counts in hours; sums of a few thousand epochs stay below 2^64.
constexpr uint64_t kLanes = 32, kSectorBytes = 32;
constexpr uint64_t kMostCount = uint64_t{1} << 51;
/// Operations of a run and durations of what was done for it.
constexpr double kMostOperations = 1e30, kMostDuration = 1e12;
/// Elements, bytes and sizes: no machine has as many, and products of two fit 128 bits only.
constexpr uint64_t kMostElements = uint64_t{1} << 48;
constexpr uint64_t kMostBlockThreads = 1024, kMostGridX = (uint64_t{1} << 31) - 1,
                   kMostGridYz = 65535;
constexpr size_t kMostListed = 1 << 16, kMostOperands = 256, kMostPixels = 1 << 22;

bool isAmount(double value) {
  return std::isfinite(value) && value >= 0;
}
bool isDuration(double value) {
  return value >= 0 && value <= kMostDuration;
}
bool isPrice(const std::optional<double>& value) {
  return !value || kRatio.holdsOrIsZero(*value);
}

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
  if (plan.phases < 0 || plan.phaseLength < 0 || !isAmount(plan.operations) ||
      plan.operations > kMostOperations)
    return workError("the plan has a negative number of phases or operations, or too many");
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
  if (!isDuration(result.compiler.ms) || !isDuration(result.wallSeconds))
    return workError("a time is negative, too long or not a number");
  if (!isPrice(result.tracePrice) || !isPrice(result.countingPrice))
    return workError("what tracing or counting costs is not the quotient of two times");
  if (result.hardware)
    if (Status checked = checkHardware(*result.hardware); !checked) return checked;
  if (Status checked = checkMachineCode(result.machine, result.registers); !checked) return checked;
  if (result.faults.size() > kMostListed ||
      (result.hazards && result.hazards->size() > kMostListed))
    return workError("there are more faults or hazards than are ever listed");
  return {};
}

Status contradict(const std::string& what, const std::string& other) {
  return workError("its counts contradict each other: " + what + " and " + other);
}

/// What holds of each request, and so of their sums. `of`: "global loads".
Status checkGlobal(const trace::GlobalCounts& counts, const std::string& of) {
  if (counts.requests > counts.threads || counts.threads > kLanes * counts.requests)
    return contradict("the number of " + of + " by threads", "the number of their requests");
  if (counts.distinctBytes > counts.bytes)
    return contradict("the distinct bytes of " + of, "the bytes that threads ask for");
  if (counts.distinctBytes > kSectorBytes * counts.sectors)
    return contradict("the distinct bytes of " + of, "the number of their sectors");
  return {};
}

Status checkShared(const trace::SharedCounts& counts, const std::string& of) {
  if (counts.bankConflicts > counts.wavefronts)
    return contradict("the number of bank conflicts of " + of, "the number of their wavefronts");
  return {};
}

}  // namespace

Status checkCounts(const trace::Counters& counters) {
  for (const trace::NamedCount& count : trace::namedCounts(counters))
    if (count.value > kMostCount) return workError("more " + count.name + " than can be counted");
  return {};
}

Status checkAgreement(const trace::Counters& counters) {
  for (const Status& checked : {checkGlobal(counters.globalLoad, "global loads"),
                                checkGlobal(counters.globalStore, "global stores"),
                                checkShared(counters.sharedLoad, "shared loads"),
                                checkShared(counters.sharedStore, "shared stores")})
    if (!checked) return checked;
  if (counters.branches && counters.divergentBranches &&
      *counters.divergentBranches > *counters.branches)
    return contradict("the number of divergent branches", "the number of all branches");
  return {};
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
    // A launch with a fault may have counted what no GPU does.
    if (result.faults.empty())
      if (Status checked = checkAgreement(result.counters->total); !checked) return checked;
  }
  for (const Picture& picture : result.pictures)
    if (Status checked = checkPicture(result, picture); !checked) return checked;
  if (result.trace)
    if (Status checked = checkTrace(result); !checked) return checked;
  if (Status checked = checkLines(result, kMostSourceLines); !checked) return checked;
  return result.machineCeilings ? checkCeilings(*result.machineCeilings) : Status();
}

Status checkAnswers(const RunResult& result, const Experiment& asked) {
  for (const auto& [wanted, had] : {std::pair(&asked.sizes, &result.plan.sizes),
                                    std::pair(&asked.tunables, &result.plan.tunables)})
    for (const auto& [name, value] : *wanted) {
      const auto at = had->find(name);
      if (at == had->end() || at->second != value)
        return workError("the result is that of another launch: its " + name + " is not " +
                         std::to_string(value));
    }
  return {};
}

}  // namespace tilestep::lab
