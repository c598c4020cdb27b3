// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace tilestep::program {

/// What clang refuses, as an Error of kind request: its first error with its place, and all that it
/// said behind it. `file` is what it compiled.
[[nodiscard]] Error refusal(std::string_view log, const std::string& file);

/// What the linker says is missing: every function by its name, once.
[[nodiscard]] Error missingFunctions(std::string_view log, const std::string& file);

}  // namespace tilestep::program
