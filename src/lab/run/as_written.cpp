// SPDX-License-Identifier: Apache-2.0
#include "lab/run/as_written.h"

#include <algorithm>
#include <utility>

#include "lab/job.h"

namespace tilestep::lab {
namespace {

/// Code that is not optimised takes more instructions for the same work.
constexpr uint64_t kMoreInstructions = 8;

bool endedEarly(const device::Outcome& outcome) {
  return std::ranges::any_of(outcome.faults, device::endsLaunch);
}

}  // namespace

bool needsLookAsWritten(const device::Job& job, const device::Outcome& outcome) {
  return job.check && outcome.hazards && (!outcome.hazards->empty() || outcome.hasLateLoads);
}

device::Job jobAsWritten(const device::Job& job, const compile::Plan& plan,
                         const compile::Compiled& compiled) {
  device::Job again = job;
  again.module = compiled.module;
  again.ptx = compiled.ptx;
  again.assembled = {};
  again.sharedArrays = sharedArraysOf(plan, *compiled.module);
  again.asWritten = true;
  again.counters = again.measure = again.outputs = false;
  again.trace.reset();
  again.mostInstructions *= kMoreInstructions;
  return again;
}

void takeHazards(device::Outcome& outcome, device::Outcome asWritten) {
  if (!asWritten.hazards || (endedEarly(asWritten) && !endedEarly(outcome))) return;
  if (asWritten.barriersPassed != outcome.barriersPassed) return;
  std::erase_if(*asWritten.hazards, [&](const device::Hazard& hazard) {
    return !hazard.arePlain && std::ranges::none_of(*outcome.hazards, [&](const auto& before) {
      return !before.arePlain && before.space == hazard.space;
    });
  });
  outcome.hazards = std::move(asWritten.hazards);
}

}  // namespace tilestep::lab
