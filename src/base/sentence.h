// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tilestep {

/// The text with a full stop, unless it ends with one. Line ends after it are dropped.
[[nodiscard]] std::string asSentence(std::string text);

}  // namespace tilestep
