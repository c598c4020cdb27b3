// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "features/names.h"
#include "lab/program/program_summary.h"

/// Chooses the part of a program's run that is shown first. Pure.
namespace tilestep::features {

/// The finding that is selected: what the host does not ask about comes of another fault, where
/// there is one, and what is read too early was not set yet. 0 where there is no fault.
[[nodiscard]] size_t firstCause(const lab::ProgramSummary& summary);

/// The launch whose steps are shown: the one that was shown before, where the program still has it;
/// else that of the first fault, else the first that ran. 0: none ran.
[[nodiscard]] uint64_t launchToShow(const lab::ProgramSummary& summary, uint64_t before);

/// The step that the launch of that number is, or is one of; null where it is not known.
[[nodiscard]] const lab::ProgramStep* stepOf(const lab::ProgramSummary& summary, uint64_t launch);

}  // namespace tilestep::features
