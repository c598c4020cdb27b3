// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "compile/text/token_ranges.h"

/// The headers that a source includes.
namespace tilestep::compile {

/// The tokens of a directive after its #, such as `include`, `<`, `cstdio` and `>`.
[[nodiscard]] CudaTokens wordsOfDirective(std::string_view directive);

/// "cstdio" for `#include <cstdio>`; empty if the directive contains neither < nor ".
[[nodiscard]] std::string_view headerOf(std::string_view directive);

/// Whether untrusted sources may include the header: its name is relative, consists of letters,
/// digits and `_./-`, and does not contain "..". Compilers find these only in include folders.
[[nodiscard]] bool isPlainHeader(std::string_view header);

/// Whether the header contains device code of the CUDA Toolkit, such as "mma.h".
[[nodiscard]] bool isDeviceHeader(std::string_view header);

}  // namespace tilestep::compile
