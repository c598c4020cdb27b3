// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tilestep::worker {

/// Splits a command into words as a shell does. Blanks separate words. '…' quotes everything; "…"
/// quotes everything except \" \\ \$ \`; elsewhere, a backslash quotes the next character. Nothing
/// is expanded. Errors: an open quote, a backslash at the end, no words.
Result<std::vector<std::string>> splitWords(std::string_view command);

/// The words separated by blanks, for messages.
[[nodiscard]] std::string joinWords(const std::vector<std::string>& words);

}  // namespace tilestep::worker
