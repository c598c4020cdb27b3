// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gfx/palette.h"

namespace tilestep::ui {

enum class TokenKind : unsigned char {
  plain,
  keyword,
  qualifier,
  number,
  comment,
  directive,
  text,
  covered  ///< An open question covers it.
};

struct Token {
  TokenKind kind = TokenKind::plain;
  std::string text;
};

/// One source line, split into tokens for highlighting.
using SourceLine = std::vector<Token>;

/// Splits CUDA C++ into lines and tokens, only as far as highlighting needs it; accepts any text.
/// Tabs become four spaces. The front matter is highlighted as an ordinary comment.
[[nodiscard]] std::vector<SourceLine> highlight(std::string_view source);
[[nodiscard]] gfx::Color colourOf(const gfx::Palette& palette, TokenKind kind);

/// The line with the strings in `hidden` as separate tokens of the kind `covered`.
[[nodiscard]] SourceLine withCovered(const SourceLine& line,
                                     const std::vector<std::string>& hidden);

/// The part of a line that fits into a number of characters, after its first `indent` characters
/// are dropped. A longer line is cut between two words, and "…" replaces the rest.
[[nodiscard]] SourceLine cutBetweenWords(const SourceLine& line, size_t indent, size_t characters);

}  // namespace tilestep::ui
