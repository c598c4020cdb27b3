// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace tilestep::program {

/// Clang's errors as an Error of kind request: the first error with its place, and all that it
/// said behind it. `file` is what it compiled.
[[nodiscard]] Error refusal(std::string_view log, const std::string& file);

/// The missing functions in the linker's output, each name once.
[[nodiscard]] Error missingFunctions(std::string_view log, const std::string& file);

}  // namespace tilestep::program
