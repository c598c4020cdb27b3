// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

#include "compile/text/token_ranges.h"

/// Names that only the host's code has.
namespace tilestep::compile {

/// Whether the word at `i` is a name of the host's libraries: `std::`, `FILE`, `cudaMalloc`. What
/// device code has of `std`, such as `std::size_t`, is none.
[[nodiscard]] bool isHostName(const CudaTokens& tokens, size_t i);

/// Whether the word is a name of the CUDA runtime, "cudaMalloc" and its like.
[[nodiscard]] bool isRuntimeName(std::string_view word);

/// Whether the text says `using namespace std`.
[[nodiscard]] bool usesStandardNames(const CudaTokens& tokens);

/// Whether the word is a name of the standard library where usesStandardNames(): "vector".
[[nodiscard]] bool isStandardName(std::string_view word);

}  // namespace tilestep::compile
