// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "model/text/text_runs.h"
#include "ui/kit/context.h"

namespace tilestep::ui {

/// A unit that is never broken across lines, in one style or several: "`m`," is one word. It
/// includes the space after it.
using RichWord = std::vector<model::TextRun>;
[[nodiscard]] std::vector<RichWord> richWords(std::string_view text);

/// Draws a paragraph, wrapped at the right edge of the window's content. `large`: in the size of a
/// sentence above the scenes. The first of each term of the field (model/text/glossary.h) has a
/// dotted line below it: on hover it is explained, and a click opens the glossary there. True while
/// the mouse is over such a word.
bool richText(const Context& context, std::string_view text, bool large = false);

}  // namespace tilestep::ui
