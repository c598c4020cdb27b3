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

/// A program's text, prepared for code changes. Pure.
namespace tilestep::features {

using Lines = std::vector<std::string>;

[[nodiscard]] Lines linesOf(std::string_view text);
/// The blanks before the line's first character.
[[nodiscard]] std::string indentOf(const std::string& line);
/// The last character of code in a line, ignoring comments; 0 if there is no code.
[[nodiscard]] char lastSign(const std::string& line);

/// The text as lines and tokens, with each line's brace depth. The text must outlive this object.
class CodeText {
 public:
  explicit CodeText(std::string_view text);

  [[nodiscard]] const compile::CudaTokens& tokens() const { return tokens_; }
  /// The token's byte offset in the text.
  [[nodiscard]] size_t offsetOf(size_t token) const {
    return static_cast<size_t>(tokens_[token].text.data() - text_.data());
  }
  /// The first token in or after `line`, counted from 1.
  [[nodiscard]] size_t firstIn(uint32_t line) const;
  /// Whether a statement may begin in `line`, counted from 0: the previous one is complete.
  [[nodiscard]] bool beginsStatement(size_t line) const;

  /// The text with its lines replaced.
  [[nodiscard]] std::string with(const Lines& changed) const;
  /// The text with the tokens [first, end) replaced.
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
