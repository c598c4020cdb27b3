// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ui/kit/context.h"

namespace tilestep::ui {

/// Some text of one look.
struct TextRun {
  enum class Look : uint8_t { plain, strong, code };
  Look look = Look::plain;
  std::string text;
  bool operator==(const TextRun&) const = default;
};

/// "**bold** and `code`" as runs. A mark that is never closed stands for itself.
[[nodiscard]] std::vector<TextRun> textRuns(std::string_view text);

/// What a line never breaks within, of one look or several: "`m`," is one word. The space behind it
/// belongs to it.
using RichWord = std::vector<TextRun>;
[[nodiscard]] std::vector<RichWord> richWords(std::string_view text);

/// A paragraph, wrapped at the right edge of the window's content.
void richText(const Context& context, std::string_view text);

}  // namespace tilestep::ui
