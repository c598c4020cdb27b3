// SPDX-License-Identifier: Apache-2.0
#include "lab/run/finish.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/sentence.h"
#include "device/fill.h"
#include "lab/expected.h"
#include "lab/figures.h"
#include "lab/formula.h"
#include "lab/job.h"
#include "lab/launch/prepare.h"
#include "lab/picture.h"
#include "lab/recording/recorded.h"
#include "lab/reference.h"
#include "lab/run/atomic_counts.h"
#include "lab/run/hazard_facts.h"
#include "ptx/analysis/copies.h"
#include "ptx/analysis/costly.h"

namespace tilestep::lab {
namespace {

/// Nothing if stopped. The first kMoment bytes are hashed even after the time limit.
std::optional<uint64_t> hashOf(const std::vector<std::vector<std::byte>>& outputs,
                               const device::Stop& stop) {
  constexpr uint64_t kMoment = 16 * device::kPieceBytes;
  uint64_t hash = kFnvStart, done = 0;
  for (const auto& output : outputs) {
    for (size_t at = 0; at < output.size(); at += device::kPieceBytes) {
      if (stop.wasCancelled() || (done >= kMoment && stop())) return std::nullopt;
      const size_t count = std::min<size_t>(device::kPieceBytes, output.size() - at);
      hash = fnv1a64(std::span(output).subspan(at, count), hash);
      done += count;
    }
  }
  return hash;
}

std::vector<Picture> picturesOf(const std::vector<device::Operand>& operands,
                                const std::vector<std::vector<std::byte>>& outputs, uint32_t side) {
  std::vector<Picture> pictures;
  if (side == 0) return pictures;
  for (uint32_t i = 0; i < operands.size() && i < outputs.size(); ++i) {
    if (operands[i].direction == Direction::in || outputs[i].empty()) continue;
    pictures.push_back(makePicture(operands[i], i, outputs[i], side));
  }
  return pictures;
}

/// The contents, before the launch, of inputs that no seed determines: those of a captured launch,
/// or those that a kernel got from such a launch.
std::vector<Picture> givenTo(const device::Job& job) {
  constexpr uint64_t kMostElements = uint64_t{1} << 20;
  std::vector<Picture> pictures;
  for (uint32_t i = 0; i < job.operands.size(); ++i) {
    const device::Operand& operand = job.operands[i];
    if (operand.elements == 0 || operand.elements > kMostElements) continue;
    std::vector<std::byte> bytes;
    if (operand.contents != nullptr) {
      bytes = *operand.contents;
    } else if (operand.range >= 0 && operand.direction != Direction::out) {
      bytes.resize(operand.bytes());
      device::copyContents(job.captured->ranges[static_cast<size_t>(operand.range)],
                           operand.rangeOffset, bytes.size(), bytes.data());
    } else {
      continue;
    }
    pictures.push_back(makePicture(operand, i, bytes, static_cast<uint32_t>(kMostElements)));
  }
  return pictures;
}

bool allCameBack(const std::vector<device::Operand>& operands,
                 const std::vector<std::vector<std::byte>>& outputs) {
  if (outputs.size() != operands.size()) return false;
  for (size_t i = 0; i < operands.size(); ++i) {
    const bool returns =
        operands[i].kind == OperandKind::buffer && operands[i].direction != Direction::in;
    if (returns && outputs[i].size() != operands[i].bytes()) return false;
  }
  return true;
}

/// For a device without counters, or a GPU whose run ended before they were read.
device::HardwareCounters noHardware(const device::DeviceInfo& info) {
  device::HardwareCounters counters;
  if (info.computeCapability) {
    counters.refused = "No hardware counters: the work ended before they were read.";
    return counters;
  }
  counters.refused = "No hardware counters: only a GPU has them, and this is " + info.name +
                     "; choose a GPU (--device cuda:0), or another machine's (--worker).";
  return counters;
}

/// Why the outputs are meaningless; empty if they are valid.
std::string whyNotJudged(const std::vector<device::Fault>& faults) {
  const auto fault = std::ranges::find_if(faults, device::endsLaunch);
  if (fault == faults.end()) return {};
  if (fault->kind == "launch-refused") return "the launch was refused; fix that first";
  const std::string at = fault->at.line > 0 ? " at line " + std::to_string(fault->at.line) : "";
  return "the launch was stopped" + at + " (" + fault->kind + "); fix that first";
}

/// The note for a kernel that does not specify its result.
std::string nothingToCompareWith(const compile::KernelSpec& spec) {
  const auto isOutput = [](const compile::OperandSpec& operand) {
    return operand.kind != OperandKind::scalar && operand.direction != Direction::in;
  };
  if (std::ranges::none_of(spec.operands, isOutput))
    return "there is nothing to compare: no operand is an output; give one direction = \"out\"";
  return "there is nothing to compare the result with: the front matter has neither a reference "
         "nor an output with expect";
}

/// Notes that time ran out during the work on the outputs, which is not the kernel's fault.
void noteLate(const device::Stop& stop, const std::string& what, RunResult& result) {
  const auto isSaid = [](const device::Fault& fault) {
    return fault.kind == "time-limit" || device::endsLaunch(fault);
  };
  if (std::ranges::any_of(result.faults, isSaid)) return;
  device::Fault fault;
  fault.kind = "time-limit";
  fault.message = "The kernel itself ended, but " + asSentence(stop.why(what).message);
  result.faults.push_back(std::move(fault));
}

/// Compares the outputs with their expected values. Errors include a stop.
Status compareAll(const Prepared& prepared, const device::Job& job, const device::Outcome& outcome,
                  const device::Stop& stop, RunResult& result) {
  Result<Check> check =
      checkOutputs({prepared.spec.reference, prepared.plan.elementsPerBlock}, job.operands,
                   outcome.outputs, job.seed, outcome.unwritten.value_or(0), stop);
  if (!check) return check.error();
  const Status formulas = checkFormulas(prepared.plan, outcome.outputs, job.seed, *check, stop);
  if (!formulas) return formulas;
  // An unwritten element is wrong whatever its expected value.
  result.nothingToCompare = !compile::isCheckable(prepared.spec) && check->ok;
  if (result.nothingToCompare) {
    result.checkNote = nothingToCompareWith(prepared.spec);
    return {};
  }
  if (!check->ok) {
    const auto expected = expectedOutputs(prepared.spec, prepared.plan, job.seed, stop);
    if (!expected) return expected.error();
    countWrong(prepared.plan, *expected, outcome.outputs, *check);
  }
  result.check = std::move(*check);
  return {};
}

/// Judges the outputs, or states why they are not judged.
Status judge(const Prepared& prepared, const device::Job& job, const device::Outcome& outcome,
             const device::Stop& stop, RunResult& result) {
  result.checkNote = whyNotJudged(result.faults);
  const bool lost = !result.faults.empty() && !allCameBack(job.operands, outcome.outputs);
  if (result.checkNote.empty() && lost) result.checkNote = "the outputs were not returned";
  if (!result.checkNote.empty()) return {};
  const bool isStopped = stop();
  const Status compared =
      isStopped ? Status(stop.why("the check")) : compareAll(prepared, job, outcome, stop, result);
  if (compared || (!isStopped && !stop())) return compared;
  if (!stop.isLate() || compared.error().kind == ErrorKind::request) return compared;
  result.checkNote = stop.why("the check").message;
  noteLate(stop, "the check", result);
  return {};
}

}  // namespace

Result<RunResult> finish(const Experiment& experiment, Prepared prepared, const device::Job& job,
                         device::Outcome outcome, const device::Stop& stop) {
  RunResult result;
  static_cast<device::Observations&>(result) = std::move(outcome);
  result.isLaunch = job.captured != nullptr;
  result.hasGivenData = result.isLaunch || experiment.dataOf.has_value();
  result.kernel = prepared.spec.name;
  result.source = experiment.source.path;
  result.assumed = prepared.spec.assumed;
  result.device = prepared.device->info();
  const compile::Compiled& compiled = *prepared.compiled;
  result.compiler = {compiled.compilerName, compiled.compilerVersion, compiled.arch, compiled.ms,
                     compiled.cached};
  result.blockAlone = job.blockAlone;
  result.asyncCopies = ptx::hasUncountedCopies(*compiled.module);
  for (const Launch& launch : prepared.plan.launches)
    if (const ptx::Function* kernel = compiled.module->find(launch.entry))
      result.hasCostlyWork = result.hasCostlyWork || ptx::hasCostlyWork(*kernel);
  if (experiment.check && !job.blockAlone && job.captured == nullptr) {
    const Status checked = judge(prepared, job, outcome, stop, result);
    if (!checked) return checked.error();
  }
  if (job.captured != nullptr && !job.blockAlone && whyNotJudged(result.faults).empty()) {
    const Status judged = judgeOperation(experiment, prepared, outcome, result);
    if (!judged) return judged.error();
  }
  result.plan = std::move(prepared.plan);
  for (compile::ResolvedOperand& operand : result.plan.operands) operand.contents.reset();
  if (experiment.counters || experiment.traceBlock)
    result.uncertain = uncertainCountsOf(*compiled.module, result.plan.launches,
                                         result.counters ? &outcome.branches : nullptr);
  if (experiment.counters)
    result.withoutAtomics = countsWithoutAtomics(*compiled.module, result.plan.launches);
  if (const std::optional<uint64_t> hash = hashOf(outcome.outputs, stop))
    result.outputHash = *hash;
  else if (stop.isLate())
    noteLate(stop, "the hash of the outputs", result);
  else
    return stop.why("the run");
  result.pictures = picturesOf(job.operands, outcome.outputs, experiment.pictureSide);
  if (experiment.traceBlock) result.given = givenTo(job);
  if (experiment.hardware && !result.hardware) result.hardware = noHardware(result.device);
  if (prepared.spec.exercise && result.hazards) leaveOutAdvice(result.plan, *result.hazards);
  namePhases(prepared.spec, result);
  return result;
}

}  // namespace tilestep::lab
