// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "compile/text/token_ranges.h"

/// Which headers device code may include.
namespace tilestep::compile {

/// The tokens of a directive behind its sign: `include`, `<`, `cstdio`, `>`.
[[nodiscard]] CudaTokens wordsOfDirective(std::string_view directive);

/// "cstdio" of `#include <cstdio>`; empty where the directive quotes nothing.
[[nodiscard]] std::string_view headerOf(std::string_view directive);

/// Whether device code may include it: a header of the device, or one of the standard library that
/// only gives types and constants. Its name has only letters, digits and `_./-`, and does not
/// climb.
[[nodiscard]] bool isIncludable(std::string_view header);

/// Whether `#include <header>` brings in device code of the CUDA Toolkit: "mma.h".
[[nodiscard]] bool isDeviceHeader(std::string_view header);

}  // namespace tilestep::compile
