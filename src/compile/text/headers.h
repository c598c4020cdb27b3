// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "compile/text/token_ranges.h"

/// The headers that a text includes.
namespace tilestep::compile {

/// The tokens of a directive after its #: `include`, `<`, `cstdio`, `>`.
[[nodiscard]] CudaTokens wordsOfDirective(std::string_view directive);

/// "cstdio" of `#include <cstdio>`; empty if the directive quotes nothing.
[[nodiscard]] std::string_view headerOf(std::string_view directive);

/// Whether untrusted text may include it: a relative name of letters, digits and `_./-` without
/// "..". A compiler finds such a header only in the folders that it was given.
[[nodiscard]] bool isPlainHeader(std::string_view header);

/// Whether `#include <header>` includes device code of the CUDA Toolkit: "mma.h".
[[nodiscard]] bool isDeviceHeader(std::string_view header);

}  // namespace tilestep::compile
