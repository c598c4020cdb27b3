// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compile/text/token_ranges.h"
#include "features/names.h"
#include "features/program/fixes.h"

/// A program's text as the changes that are offered look at it. Pure.
namespace tilestep::features {

using Lines = std::vector<std::string>;

[[nodiscard]] Lines linesOf(std::string_view text);
/// The blanks before the line's first character.
[[nodiscard]] std::string indentOf(const std::string& line);
/// The last sign of code in a line, without comments; 0: there is none.
[[nodiscard]] char lastSign(const std::string& line);

/// The text as lines and tokens, with how deep in braces each line begins. The text must outlive
/// it.
class CodeText {
 public:
  explicit CodeText(std::string_view text);

  [[nodiscard]] const compile::CudaTokens& tokens() const { return tokens_; }
  /// Bytes before the token.
  [[nodiscard]] size_t offsetOf(size_t token) const {
    return static_cast<size_t>(tokens_[token].text.data() - text_.data());
  }
  /// The first token of the line (from 1) or behind it.
  [[nodiscard]] size_t firstIn(uint32_t line) const;
  /// Whether a statement may begin in this line (from 0): the one before it is complete.
  [[nodiscard]] bool beginsStatement(size_t line) const;

  /// The text with other lines.
  [[nodiscard]] std::string with(const Lines& changed) const;
  /// The text with another piece in place of the tokens first to end.
  [[nodiscard]] std::string with(size_t first, size_t end, const std::string& piece) const;

  Lines lines;
  std::vector<int> depths;

 private:
  std::string_view text_;
  compile::CudaTokens tokens_;
  std::vector<size_t> starts_;
};

/// The change from one text to another.
[[nodiscard]] CodeFix changed(std::string title, std::string_view from, std::string text);

}  // namespace tilestep::features
