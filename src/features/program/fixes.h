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

/// A change of a program's text that may fix what was found.
struct CodeFix {
  std::string title;  ///< "Add __syncthreads() before line 22"
  std::string text;   ///< All of the changed text.
  uint32_t line = 0;  ///< The first line that differs, from 1.
  /// The lines that differ, with "-" before those that go and "+" before those that come.
  std::vector<std::string> changes;
};

/// The lines that differ, as CodeFix::changes has them; `first`: of the changed text, from 1.
[[nodiscard]] std::vector<std::string> changesBetween(std::string_view before,
                                                      std::string_view after, uint32_t& first);

/// The plain change for a finding of this text: a missing barrier or guard, bytes for elements, a
/// grid that is rounded down, more shared memory than is allowed, an error that nobody asks for.
/// Nothing where there is none, or where the text does not show where it belongs.
[[nodiscard]] std::optional<CodeFix> fixFor(const lab::ProgramFinding& finding,
                                            std::string_view text);

/// The same as a hint, which does not say where and how; empty where there is none.
[[nodiscard]] std::string hintFor(const lab::ProgramFinding& finding);

}  // namespace tilestep::features
