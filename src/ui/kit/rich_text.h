// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/text/text_runs.h"
#include "ui/kit/context.h"

namespace tilestep::ui {

/// A unit that is never broken across lines, in one or several styles: "`m`," is one word. It
/// includes the following space.
using RichWord = std::vector<model::TextRun>;
[[nodiscard]] std::vector<RichWord> richWords(std::string_view text);

/// The style of a paragraph: body text, a sentence with narrow line spacing, or a large sentence.
enum class Setting : uint8_t { body, sentence, large };

/// Draws a paragraph, wrapped at the right edge of the window's content. The first occurrence of
/// each glossary term (model/text/glossary.h) has a dotted underline. Hovering over it shows an
/// explanation, and a click opens the glossary at that term; saved pictures (UiState::readOnly)
/// have neither. True while the mouse is over such a term.
bool richText(const Context& context, std::string_view text, Setting setting = Setting::body);

/// The paragraph with a coloured bar on its left.
void barredText(const Context& context, gfx::Color bar, std::string_view text);

}  // namespace tilestep::ui
