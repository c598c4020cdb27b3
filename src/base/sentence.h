// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace tilestep {

/// Removes trailing newlines, and appends a full stop if there is none.
[[nodiscard]] std::string asSentence(std::string text);

/// Capitalises the first letter if the first word consists of the letters a to z, commas and
/// colons; other words may be names.
[[nodiscard]] std::string capitalised(std::string text);

/// At most `bytes` bytes of the text, followed by "…" if cut. UTF-8 characters are not split.
[[nodiscard]] std::string shortened(std::string text, size_t bytes);

}  // namespace tilestep
