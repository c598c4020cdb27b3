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
  uint32_t line = 0;  ///< The first line that differs, from 1.
  /// The lines that differ, with "-" before removed and "+" before added ones.
  std::vector<std::string> changes;
};

/// The lines that differ, as in CodeFix::changes; `first`: of the changed text, from 1.
[[nodiscard]] std::vector<std::string> changesBetween(std::string_view before,
                                                      std::string_view after, uint32_t& first);

/// The simple change for a finding of this text: a missing barrier or guard, bytes for elements, a
/// grid that is rounded down, more shared memory than is allowed, an error that is not checked.
/// Absent if there is none, or if its place in the text is not clear.
[[nodiscard]] std::optional<CodeFix> fixFor(const lab::ProgramFinding& finding,
                                            std::string_view text);

/// The same as a hint, which reveals neither place nor change; empty if there is none.
[[nodiscard]] std::string hintFor(const lab::ProgramFinding& finding);

}  // namespace tilestep::features
