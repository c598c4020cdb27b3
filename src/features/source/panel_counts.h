// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "features/names.h"
#include "features/source/view.h"
#include "ui/kit/context.h"

/// Execution counts of lines and instructions, in the margins of the source and the PTX.
namespace tilestep::features {

/// Counts of warp instructions of the traced block that access memory, add to a sum or wait.
struct RunsOf {
  uint64_t now = 0;  ///< In this step.
  uint64_t all = 0;  ///< In all steps of the block; 0 if not in the trace.
};
[[nodiscard]] RunsOf runsOfLine(const SourceView& view, uint32_t line);
[[nodiscard]] RunsOf runsOfInstruction(const SourceView& view, uint32_t instruction);

/// "4 instr."; empty for a line that does not run in the step. `covered` hides the number.
[[nodiscard]] std::string runsText(const RunsOf& runs, bool covered);
/// Describes the counts in this step and in all steps of the block, and how to go to such a step.
[[nodiscard]] std::string runsHover(const RunsOf& runs, bool covered, const std::string& recorder);

/// The width of a margin that fits the text of any line at any step.
[[nodiscard]] float marginWidth(const Context& context);
/// Writes text into the margin that ends at `right`.
void drawInMargin(const Context& context, const std::string& text, float right, float y);

}  // namespace tilestep::features
