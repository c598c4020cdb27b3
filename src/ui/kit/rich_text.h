// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ui/kit/context.h"

namespace tilestep::ui {

/// Text in one style.
struct TextRun {
  enum class Look : uint8_t { plain, strong, code };
  Look look = Look::plain;
  std::string text;
  bool operator==(const TextRun&) const = default;
};

/// Splits "**bold** and `code`" into runs. A mark that is never closed is kept as text.
[[nodiscard]] std::vector<TextRun> textRuns(std::string_view text);

/// A unit that is never broken across lines, in one style or several: "`m`," is one word. It
/// includes the space after it.
using RichWord = std::vector<TextRun>;
[[nodiscard]] std::vector<RichWord> richWords(std::string_view text);

/// Draws a paragraph, wrapped at the right edge of the window's content.
void richText(const Context& context, std::string_view text);

}  // namespace tilestep::ui
