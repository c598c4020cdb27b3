// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "features/names.h"
#include "lab/program/program_summary.h"

/// Chooses the part of a program's run that is shown first. Pure.
namespace tilestep::features {

/// The finding that is selected first. An unchecked error follows from another fault, if there is
/// one; and a value that is read too early was not set yet. 0 if there is no fault.
[[nodiscard]] size_t firstCause(const lab::ProgramSummary& summary);

/// The launch whose steps are shown: the previously shown one if the program still has it;
/// otherwise that of the first fault, otherwise the first one that ran. 0: none ran.
[[nodiscard]] uint64_t launchToShow(const lab::ProgramSummary& summary, uint64_t before);

/// The step that is, or contains, the launch with that number; null if unknown.
[[nodiscard]] const lab::ProgramStep* stepOf(const lab::ProgramSummary& summary, uint64_t launch);

}  // namespace tilestep::features
