// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "features/names.h"
#include "lab/program/program_summary.h"

namespace tilestep::features {

/// A change of a program's text that may fix a finding.
struct CodeFix {
  std::string title;  ///< "Add __syncthreads() before line 22"
  std::string text;   ///< The complete changed text.
  uint32_t line = 0;  ///< The first line that differs, counted from 1.
  /// The lines that differ: removed lines with "-", added lines with "+".
  std::vector<std::string> changes;
};

/// The lines that differ, as in CodeFix::changes. `first` is set to the first one, from 1.
[[nodiscard]] std::vector<std::string> changesBetween(std::string_view before,
                                                      std::string_view after, uint32_t& first);

/// A simple change for a finding of this text: a missing barrier or guard, an element count used as
/// bytes, a grid that is rounded down, too much shared memory, an unchecked error. Absent if there
/// is no such change, or if its position in the text is ambiguous.
[[nodiscard]] std::optional<CodeFix> fixFor(const lab::ProgramFinding& finding,
                                            std::string_view text);

/// A hint that reveals neither the position nor the change; empty if there is no hint.
[[nodiscard]] std::string hintFor(const lab::ProgramFinding& finding);

}  // namespace tilestep::features
