// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tilestep::worker {

/// Splits a command as a shell splits words: blanks separate them; '…' keeps all as it is; "…"
/// keeps all but \" \\ \$ \`; elsewhere a backslash keeps the next character. Nothing is expanded.
/// An open quote, a backslash at the end, and no word at all are Errors.
Result<std::vector<std::string>> splitWords(std::string_view command);

/// The words with blanks between them, for messages.
[[nodiscard]] std::string joinWords(const std::vector<std::string>& words);

}  // namespace tilestep::worker
