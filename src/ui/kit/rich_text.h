// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/text/text_runs.h"
#include "ui/kit/context.h"

namespace tilestep::ui {

/// A unit that is never broken across lines, in one style or several: "`m`," is one word. It
/// includes the space after it.
using RichWord = std::vector<model::TextRun>;
[[nodiscard]] std::vector<RichWord> richWords(std::string_view text);

/// How a paragraph is set: to be read at length, as a sentence with its lines close together, or as
/// a large sentence.
enum class Setting : uint8_t { body, sentence, large };

/// Draws a paragraph, wrapped at the right edge of the window's content. The first of each term of
/// the field (model/text/glossary.h) has a dotted line below it: on hover it is explained, and a
/// click opens the glossary there; what is drawn to be read elsewhere (UiState::readOnly) has
/// neither. True while the mouse is over such a word.
bool richText(const Context& context, std::string_view text, Setting setting = Setting::body);

/// The paragraph with a coloured bar at its left.
void barredText(const Context& context, gfx::Color bar, std::string_view text);

}  // namespace tilestep::ui
