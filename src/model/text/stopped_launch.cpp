// SPDX-License-Identifier: Apache-2.0
#include "model/text/stopped_launch.h"

#include <algorithm>

#include "device/device.h"
#include "lab/judge/fault_kinds.h"
#include "model/scene/traced_kernel.h"

namespace tilestep::model {
namespace {

/// The fault that stopped the launch; null if the launch completed or if there is no result.
const device::Fault* stopOf(const lab::RunResult* result) {
  if (result == nullptr) return nullptr;
  const auto fault = std::ranges::find_if(result->faults, device::endsLaunch);
  return fault == result->faults.end() ? nullptr : &*fault;
}

}  // namespace

lab::ResultPointer withoutCountsIfStopped(lab::ResultPointer result) {
  if (stopOf(result.get()) == nullptr || !result->counters) return result;
  auto without = std::make_shared<lab::RunResult>(*result);
  without->counters.reset();
  return without;
}

std::string whereStopped(const lab::RunResult* result) {
  const device::Fault* fault = stopOf(result);
  if (fault == nullptr) return {};
  const std::string text = "its launch was stopped";
  return fault->at.line > 0 ? text + " at line " + std::to_string(fault->at.line) : text;
}

std::string whyNotCounted(const lab::RunResult* result) {
  const device::Fault* fault = stopOf(result);
  if (fault == nullptr) return {};
  const lab::FaultKind* kind = lab::faultKind(fault->kind);
  return "No counts of the whole grid of " + shortNameOf(result->kernel) + ": " +
         whereStopped(result) + (kind == nullptr ? "." : std::string(". ") + kind->sentence + ".");
}

std::string afterFault(const TracedStep& step) {
  const device::Fault* fault = stopOf(step.side->result.get());
  if (fault == nullptr || !fault->epoch || step.step.epoch <= *fault->epoch) return {};
  if (fault->at.block != step.side->replay->recording().block) return {};
  const std::string place = fault->at.line > 0 ? " at line " + std::to_string(fault->at.line) : "";
  return "This step comes after the fault" + place + ": its values are meaningless.";
}

}  // namespace tilestep::model
