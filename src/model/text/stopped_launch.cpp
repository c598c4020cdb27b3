// SPDX-License-Identifier: Apache-2.0
#include "model/text/stopped_launch.h"

#include <algorithm>

#include "lab/judge/fault_kinds.h"
#include "model/scene/traced_kernel.h"

namespace tilestep::model {

void dropCountsIfStopped(lab::RunResult& result) {
  if (std::ranges::any_of(result.faults, device::endsLaunch)) result.counters.reset();
}

std::string whyNotCounted(const lab::RunResult* result) {
  if (result == nullptr) return {};
  const auto fault = std::ranges::find_if(result->faults, device::endsLaunch);
  if (fault == result->faults.end()) return {};
  std::string text =
      "No counts of the whole grid of " + shortNameOf(result->kernel) + ": its launch was stopped";
  if (fault->at.line > 0) text += " at line " + std::to_string(fault->at.line);
  const lab::FaultKind* kind = lab::faultKind(fault->kind);
  return text + (kind == nullptr ? "." : std::string(". ") + kind->sentence + ".");
}

}  // namespace tilestep::model
