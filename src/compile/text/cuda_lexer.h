// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tilestep::compile {

/// A piece of C++ source; comments and blanks are between the pieces.
struct CudaToken {
  enum class Kind : uint8_t {
    word,  ///< Identifiers and keywords.
    number,
    text,       ///< String and character literals, raw ones too.
    directive,  ///< A whole preprocessor line with its continuations and comments.
    symbol,     ///< One character, or <<<, >>> and ::.
  };
  Kind kind = Kind::symbol;
  std::string_view text;  ///< Part of the source.

  [[nodiscard]] bool is(std::string_view what) const { return text == what; }
};

/// Cuts `source` into tokens. Takes any text: what is no C++ becomes symbols, and a string, comment
/// or raw string without an end reaches to the end of its line or of the text.
[[nodiscard]] std::vector<CudaToken> cudaTokens(std::string_view source);

}  // namespace tilestep::compile
