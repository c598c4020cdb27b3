// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace tilestep {

/// The text with a full stop, unless it ends with one, and without trailing newlines.
[[nodiscard]] std::string asSentence(std::string text);

/// The text with a capital first letter, if it begins with one of a to z.
[[nodiscard]] std::string capitalised(std::string text);

/// At most `bytes` of the text, and "…" where something was cut off. No character is split.
[[nodiscard]] std::string shortened(std::string text, size_t bytes);

}  // namespace tilestep
