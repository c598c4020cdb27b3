// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace tilestep::program {

/// Converts clang's output to an Error of kind request: the first error with its location, followed
/// by the rest of the output. `file` is the compiled file.
[[nodiscard]] Error refusal(std::string_view log, const std::string& file);

/// An Error that names the missing functions in the linker's output, without duplicates.
[[nodiscard]] Error missingFunctions(std::string_view log, const std::string& file);

}  // namespace tilestep::program
