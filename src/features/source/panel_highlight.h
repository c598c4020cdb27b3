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

/// One line of source, cut for colouring.
using SourceLine = std::vector<Token>;

/// Cuts CUDA C++ into lines and tokens, only as far as colouring needs it; total over any text.
/// Tabs become four spaces. The front matter's comment is a comment like any other.
[[nodiscard]] std::vector<SourceLine> highlight(std::string_view source);

}  // namespace tilestep::ui
