// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tilestep::compile {

/// A token of C++. Comments and whitespace are not tokens.
struct CudaToken {
  enum class Kind : uint8_t {
    word,  ///< Identifiers and keywords.
    number,
    text,       ///< String literals, including raw strings, and character literals.
    directive,  ///< A whole preprocessor line with its continuations and comments.
    symbol,     ///< One character, or <<<, >>> and ::.
  };
  Kind kind = Kind::symbol;
  std::string_view text;  ///< Part of the source.

  [[nodiscard]] bool is(std::string_view what) const { return text == what; }
};

/// Splits `source` into tokens. Accepts any text: characters that are invalid in C++ become
/// symbols. An unterminated string extends to the end of its line, an unterminated comment or raw
/// string to the end of the source.
[[nodiscard]] std::vector<CudaToken> cudaTokens(std::string_view source);

}  // namespace tilestep::compile
