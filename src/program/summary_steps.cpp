// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "program/summary.h"

namespace tilestep::program {
namespace {

using lab::ProgramStep;
using lab::ProgramStepKind;

ProgramStepKind kindOf(const CallRecord& call) {
  if (!call.direction.empty()) return ProgramStepKind::copy;
  if (call.waits) return ProgramStepKind::wait;
  if (call.name.find("Memset") != std::string::npos) return ProgramStepKind::fill;
  if (call.name.find("Malloc") != std::string::npos) return ProgramStepKind::allocate;
  if (call.name.find("Free") != std::string::npos) return ProgramStepKind::free;
  return ProgramStepKind::other;
}

/// Finds the memory that a program's calls affect. The work of a call directly follows the call.
class MemoryOfCalls {
 public:
  explicit MemoryOfCalls(const ProgramRun& run) : memory_(run.memory), isTold_(run.gpu >= 0) {
    for (const MemoryRecord& each : run.memory) names_.emplace(each.moment, each.name);
    for (const Work& work : run.works) {
      if (work.kind != WorkKind::copy && work.kind != WorkKind::fill) continue;
      const Ranges& used =
          work.uses.plainWrites.empty() ? work.uses.plainReads : work.uses.plainWrites;
      if (!used.empty()) works_.emplace(work.moment, nameAt(used.front().begin));
    }
  }
  [[nodiscard]] std::string nameOf(uint64_t moment, ProgramStepKind kind) const {
    if (kind != ProgramStepKind::copy && kind != ProgramStepKind::fill) return at(names_, moment);
    // With a GPU, the work directly precedes the call.
    return at(works_, isTold_ ? moment - 1 : moment + 1);
  }

 private:
  using Names = std::map<uint64_t, std::string>;
  static std::string at(const Names& names, uint64_t moment) {
    const auto found = names.find(moment);
    return found == names.end() ? std::string() : found->second;
  }
  [[nodiscard]] std::string nameAt(uint64_t address) const {
    for (const MemoryRecord& each : memory_)
      if (address - each.address < each.bytes) return each.name;
    return {};
  }
  const std::vector<MemoryRecord>& memory_;
  bool isTold_;
  Names names_, works_;
};

ProgramStep stepOf(const CallRecord& call, const MemoryOfCalls& memory) {
  ProgramStep step;
  step.kind = kindOf(call);
  step.name = call.name;
  step.file = call.place.file;
  step.line = call.place.line;
  step.memory = memory.nameOf(call.moment, step.kind);
  step.direction = call.direction;
  step.bytes = call.bytes;
  step.stream = call.stream;
  // A call that returns an earlier error has not itself failed.
  step.failed = call.result != 0 && !call.asksForErrors;
  step.milliseconds = call.milliseconds;
  return step;
}

std::string noteOf(const LaunchRecord& launch) {
  return launch.refusal.empty() ? launch.trouble : launch.refusal;
}

ProgramStep stepOf(const LaunchRecord& launch, uint64_t number) {
  ProgramStep step;
  step.kind = ProgramStepKind::launch;
  step.name = launch.kernel;
  step.file = launch.place.file;
  step.line = launch.place.line;
  step.stream = launch.stream;
  step.failed = launch.result != 0 || !launch.faults.empty() || !launch.hazards.empty();
  step.note = noteOf(launch);
  if (launch.operation) {
    step.formula = launch.operation->formula;
    step.result = launch.operation->result;
  }
  step.launch = number;
  step.ran = launch.ran;
  step.grid = launch.launch.grid;
  step.block = launch.launch.block;
  step.milliseconds = launch.milliseconds;
  return step;
}

/// Whether the two steps look the same to a reader.
bool areAlike(const ProgramStep& a, const ProgramStep& b) {
  return a.kind == b.kind && a.name == b.name && a.file == b.file && a.line == b.line &&
         a.memory == b.memory && a.direction == b.direction && a.bytes == b.bytes &&
         a.stream == b.stream && a.failed == b.failed && a.note == b.note &&
         a.formula == b.formula && a.ran == b.ran && a.grid == b.grid && a.block == b.block;
}

}  // namespace

std::vector<ProgramStep> stepsOf(const ProgramRun& run, size_t most, uint64_t& leftOut) {
  const MemoryOfCalls memory(run);
  std::vector<ProgramStep> steps;
  leftOut = 0;
  const auto add = [&](ProgramStep step) {
    if (leftOut == 0 && !steps.empty() && areAlike(steps.back(), step)) {
      ++steps.back().times;
      if (!step.milliseconds || !steps.back().milliseconds) return;
      *steps.back().milliseconds += *step.milliseconds;
    } else if (steps.size() < most) {
      steps.push_back(std::move(step));
    } else {
      ++leftOut;
    }
  };
  size_t call = 0, launch = 0;
  while (call < run.calls.size() || launch < run.launches.size()) {
    const bool isCall =
        launch == run.launches.size() ||
        (call < run.calls.size() && run.calls[call].moment < run.launches[launch].moment);
    if (isCall) {
      const CallRecord& next = run.calls[call++];
      if (!next.asksForErrors) add(stepOf(next, memory));
    } else {
      add(stepOf(run.launches[launch], launch + 1));
      ++launch;
    }
  }
  return steps;
}

}  // namespace tilestep::program
