// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace tilestep::program {

/// Converts clang's errors to an Error of kind request: the first error with its place, and the
/// rest of clang's output after it. `file` is the compiled file.
[[nodiscard]] Error refusal(std::string_view log, const std::string& file);

/// The missing functions in the linker's output, without duplicates.
[[nodiscard]] Error missingFunctions(std::string_view log, const std::string& file);

}  // namespace tilestep::program
