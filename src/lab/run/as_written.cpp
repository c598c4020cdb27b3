// SPDX-License-Identifier: Apache-2.0
#include "lab/run/as_written.h"

#include <algorithm>
#include <utility>

#include "compile/text/compiler_names.h"
#include "compile/text/parameters.h"
#include "lab/job.h"

namespace tilestep::lab {
namespace {

/// Code that is not optimised takes more instructions for the same work.
constexpr uint64_t kMoreInstructions = 8;
/// A launch that ended early is judged already, and may never end as it is written.
constexpr uint64_t kFewInstructions = 2'000'000;

bool endedEarly(const device::Outcome& outcome) {
  return std::ranges::any_of(outcome.faults, device::endsLaunch);
}

/// The job that looks for hazards in `compiled`, which is the kernel of `job` as it is written.
/// `outcome` is that of `job`.
device::Job jobAsWritten(const device::Job& job, const device::Outcome& outcome,
                         const compile::Plan& plan, const compile::Compiled& compiled) {
  device::Job again = job;
  again.module = compiled.module;
  again.ptx = compiled.ptx;
  again.assembled = {};
  again.sharedArrays = sharedArraysOf(plan, *compiled.module);
  again.asWritten = true;
  again.counters = again.measure = again.outputs = false;
  again.traceBlock.reset();
  again.mostInstructions *= kMoreInstructions;
  if (endedEarly(outcome))
    again.mostInstructions = again.mostInstructions == 0
                                 ? kFewInstructions
                                 : std::min(again.mostInstructions, kFewInstructions);
  return again;
}

Error notSeen(const Error& error) {
  Error told =
      workError("hazards were not looked for in the kernel as it is written: " + error.message);
  told.late = error.late;
  return told;
}

bool isLate(const device::Outcome& outcome) {
  return std::ranges::any_of(outcome.faults,
                             [](const device::Fault& fault) { return fault.kind == "timeout"; });
}

/// Says that the time was over before all was seen: what was found then is no verdict.
void noteLate(device::Outcome& outcome, const device::Outcome& seen) {
  if (!isLate(seen) || isLate(outcome)) return;
  device::Fault fault;
  fault.kind = "time-limit";
  fault.message =
      "The kernel itself ended, but the time was over before hazards had been looked for in the "
      "kernel as it is written; make the sizes smaller, or allow more with --timeout.";
  outcome.faults.push_back(std::move(fault));
}

}  // namespace

bool needsLookAsWritten(const device::Job& job, const device::Outcome& outcome) {
  return job.check && outcome.hazards && (!outcome.hazards->empty() || outcome.hasLateLoads);
}

void takeHazards(device::Outcome& outcome, device::Outcome asWritten) {
  noteLate(outcome, asWritten);
  if (!asWritten.hazards || (endedEarly(asWritten) && !endedEarly(outcome))) return;
  if (asWritten.barriersPassed != outcome.barriersPassed) return;
  std::erase_if(*asWritten.hazards, [&](const device::Hazard& hazard) {
    return !hazard.arePlain && std::ranges::none_of(*outcome.hazards, [&](const auto& before) {
      return !before.arePlain && before.space == hazard.space;
    });
  });
  outcome.hazards = std::move(asWritten.hazards);
}

Status lookAsWritten(KernelBuilds& builds, const Experiment& experiment, const Prepared& prepared,
                     const device::Job& job, const device::Stop& stop, RunMemory& memory,
                     device::Outcome& outcome) {
  if (job.captured != nullptr || !needsLookAsWritten(job, outcome) ||
      compile::tellsCompilersApart(experiment.source.text))
    return {};
  compile::CompileRequest request =
      KernelBuilds::requestFor(experiment, prepared.plan, prepared.compiled->arch, memory.bytes());
  request.asWritten = true;
  const auto made = memory.unlimited([&] { return builds.make(std::move(request), stop); });
  if (stop.wasCancelled()) return stop.why("looking for hazards");
  if (!made && made.error().kind == ErrorKind::work) return notSeen(made.error());
  if (!made || !compile::checkParameters(prepared.spec, *(*made)->module)) return {};
  device::Job again = jobAsWritten(job, outcome, prepared.plan, **made);
  if (Status fits = memory.limit(prepared, again); !fits) return notSeen(fits.error());
  again.spentSeconds = stop.spentSeconds();
  Result<device::Outcome> seen = prepared.device->run(again, stop.cancelled());
  if (stop.wasCancelled()) return stop.why("looking for hazards");
  if (!seen) return notSeen(seen.error());
  takeHazards(outcome, std::move(*seen));
  return {};
}

}  // namespace tilestep::lab
