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

inline constexpr size_t kLongestAngle = 256;  ///< The most tokens between < and >.

[[nodiscard]] bool isOpen(const CudaToken& token);   ///< ( [ {
[[nodiscard]] bool isClose(const CudaToken& token);  ///< ) ] }

/// The partner of each bracket, and 0 for other tokens; nullopt if brackets do not match. Unlike
/// BracketPairs, ignores `#if` and reads all its branches as one.
[[nodiscard]] std::optional<std::vector<size_t>> matchBrackets(const CudaTokens& tokens);

/// Whether `list` contains `word`.
template <class List>
[[nodiscard]] bool isOneOf(std::string_view word, const List& list) {
  return std::any_of(list.begin(), list.end(), [&](const auto& one) { return word == one; });
}

/// The tokens [first, end), as far as they exist.
[[nodiscard]] CudaTokens slice(const CudaTokens& tokens, size_t first, size_t end);

/// Splits the tokens at commas outside brackets. A trailing comma adds no part.
[[nodiscard]] std::vector<CudaTokens> atCommas(const CudaTokens& tokens);

/// The tokens as one string, without whitespace.
[[nodiscard]] std::string joined(const CudaTokens& tokens);

}  // namespace tilestep::compile
