// SPDX-License-Identifier: Apache-2.0
#include "lab/run/as_written.h"

#include <algorithm>
#include <utility>

#include "compile/text/parameters.h"
#include "lab/job.h"

namespace tilestep::lab {
namespace {

/// The factor by which clang's code may execute more instructions than NVRTC's.
constexpr uint64_t kMoreInstructions = 8;
/// The instruction limit if the first run ended early: its fault is known, and the kernel as
/// written may never end.
constexpr uint64_t kFewInstructions = 2'000'000;

bool endedEarly(const device::Outcome& outcome) {
  return std::ranges::any_of(outcome.faults, device::endsLaunch);
}

/// The job that searches for hazards in `compiled`, the kernel of `job` as written. `outcome` is
/// the result of `job`.
device::Job jobAsWritten(const device::Job& job, const device::Outcome& outcome,
                         const compile::Plan& plan, const compile::Compiled& compiled) {
  device::Job again = job;
  again.module = compiled.module;
  again.ptx = compiled.ptx;
  again.assembled = {};
  again.sharedArrays = sharedArraysOf(plan, *compiled.module);
  again.counters = again.measure = again.outputs = false;
  again.traceBlock.reset();
  again.mostInstructions *= kMoreInstructions;
  if (endedEarly(outcome))
    again.mostInstructions = again.mostInstructions == 0
                                 ? kFewInstructions
                                 : std::min(again.mostInstructions, kFewInstructions);
  return again;
}

Error notJudged(const Error& error) {
  Error told = workError("hazards were found but could not be confirmed: " + error.message);
  told.late = error.late;
  return told;
}

bool isLate(const device::Outcome& outcome) {
  return std::ranges::any_of(outcome.faults,
                             [](const device::Fault& fault) { return fault.kind == "timeout"; });
}

/// Reports that time ran out before the hazards were judged.
void noteLate(device::Outcome& outcome, const device::Outcome& seen) {
  if (!isLate(seen) || isLate(outcome)) return;
  device::Fault fault;
  fault.kind = "time-limit";
  fault.message =
      "The kernel itself ended, but time ran out before its hazards could be confirmed; make the "
      "sizes smaller, or allow more time with --timeout.";
  outcome.faults.push_back(std::move(fault));
}

}  // namespace

void takeHazards(device::Outcome& outcome, device::Outcome asWritten) {
  noteLate(outcome, asWritten);
  if (!asWritten.hazards || (endedEarly(asWritten) && !endedEarly(outcome))) return;
  outcome.hazards = std::move(asWritten.hazards);
}

Status lookAsWritten(KernelBuilds& builds, const Experiment& experiment, const Prepared& prepared,
                     const device::Job& job, const device::Stop& stop, RunMemory& memory,
                     device::Outcome& outcome) {
  if (job.captured != nullptr || !outcome.hazards || outcome.hazards->empty()) return {};
  compile::CompileRequest request =
      KernelBuilds::requestFor(experiment, prepared.plan, prepared.compiled->arch, memory.bytes());
  request.asWritten = true;
  const auto made = memory.unlimited([&] { return builds.make(std::move(request), stop); });
  if (stop.wasCancelled()) return stop.why("searching for hazards");
  if (!made && made.error().kind == ErrorKind::work) return notJudged(made.error());
  if (!made || !compile::checkParameters(prepared.spec, *(*made)->module)) return {};
  device::Job again = jobAsWritten(job, outcome, prepared.plan, **made);
  if (Status fits = memory.limit(prepared, again); !fits) return notJudged(fits.error());
  again.spentSeconds = stop.spentSeconds();
  Result<device::Outcome> seen = prepared.device->run(again, stop.cancelled());
  if (stop.wasCancelled()) return stop.why("searching for hazards");
  if (!seen) return notJudged(seen.error());
  takeHazards(outcome, std::move(*seen));
  return {};
}

}  // namespace tilestep::lab
