// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilestep::ui {

enum class TokenKind : unsigned char {
  plain,
  keyword,
  qualifier,
  number,
  comment,
  directive,
  text
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

}  // namespace tilestep::ui
