// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "features/names.h"
#include "lab/program/program_summary.h"

/// Chooses the part of a program's run that is shown first. Pure.
namespace tilestep::features {

/// The finding to select first: the first fault other than an unchecked error. A race comes before
/// the uninitialised read that it causes. 0 if there is no fault.
[[nodiscard]] size_t firstCause(const lab::ProgramSummary& summary);

/// The launch whose steps are shown: the previously shown launch if it still exists; otherwise the
/// launch of the first fault; otherwise the first launch that ran. 0 if no launch ran.
[[nodiscard]] uint64_t launchToShow(const lab::ProgramSummary& summary, uint64_t before);

/// The step that is, or contains, launch number `launch`; null if unknown.
[[nodiscard]] const lab::ProgramStep* stepOf(const lab::ProgramSummary& summary, uint64_t launch);

}  // namespace tilestep::features
