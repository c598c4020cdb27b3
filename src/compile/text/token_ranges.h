// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compile/text/cuda_lexer.h"

/// Ranges of CUDA C++ tokens, delimited by brackets.
namespace tilestep::compile {

using CudaTokens = std::vector<CudaToken>;

inline constexpr size_t kLongestAngle = 256;  ///< Tokens between < and >.

[[nodiscard]] bool isOpen(const CudaToken& token);   ///< ( [ {
[[nodiscard]] bool isClose(const CudaToken& token);  ///< ) ] }

/// For each bracket its partner, and 0 for other tokens; nullopt if they do not all match.
/// BracketPairs distinguishes the branches of an `#if`; here they are one text.
[[nodiscard]] std::optional<std::vector<size_t>> matchBrackets(const CudaTokens& tokens);

/// Whether a list of words contains this one.
template <class List>
[[nodiscard]] bool isOneOf(std::string_view word, const List& list) {
  return std::any_of(list.begin(), list.end(), [&](const auto& one) { return word == one; });
}

/// Tokens [first, end), cut to the existing ones.
[[nodiscard]] CudaTokens slice(const CudaTokens& tokens, size_t first, size_t end);

/// Splits at the commas outside brackets; a trailing comma adds no part.
[[nodiscard]] std::vector<CudaTokens> atCommas(const CudaTokens& tokens);

/// As one text, without whitespace.
[[nodiscard]] std::string joined(const CudaTokens& tokens);

}  // namespace tilestep::compile
