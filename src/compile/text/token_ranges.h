// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compile/text/cuda_lexer.h"

/// Pieces of a row of CUDA C++ tokens, by their brackets.
namespace tilestep::compile {

using CudaTokens = std::vector<CudaToken>;

inline constexpr size_t kLongestAngle = 256;  ///< Tokens between < and >.

[[nodiscard]] bool isOpen(const CudaToken& token);   ///< ( [ {
[[nodiscard]] bool isClose(const CudaToken& token);  ///< ) ] }

/// For each bracket the one that closes or opens it, and 0 for other tokens; nothing where they do
/// not all match. BracketPairs tells the branches of an `#if` apart; here they are one text.
[[nodiscard]] std::optional<std::vector<size_t>> matchBrackets(const CudaTokens& tokens);

/// Whether a list of words has this one.
template <class List>
[[nodiscard]] bool isOneOf(std::string_view word, const List& list) {
  return std::any_of(list.begin(), list.end(), [&](const auto& one) { return word == one; });
}

/// Tokens first to end, cut to what is there.
[[nodiscard]] CudaTokens slice(const CudaTokens& tokens, size_t first, size_t end);

/// Cut at the commas outside brackets; nothing behind the last one is no part.
[[nodiscard]] std::vector<CudaTokens> atCommas(const CudaTokens& tokens);

/// As one text, without blanks.
[[nodiscard]] std::string joined(const CudaTokens& tokens);

}  // namespace tilestep::compile
