// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>
#include <vector>

namespace tilestep::ui {

/// How wide a piece of text is, in the unit of the line's width; additive over pieces.
using WidthOf = std::function<float(std::string_view)>;

/// `text` in lines no wider than `width`, one a '\n' at least. Lines break at spaces alone (ImGui's
/// own wrapping breaks behind commas and points, too: "4," and "096"), and a word that is wider
/// than a line breaks where the line is full, never inside a UTF-8 character. The spaces at a break
/// belong to no line. The lines lie in `text`.
[[nodiscard]] std::vector<std::string_view> linesOf(std::string_view text, float width,
                                                    const WidthOf& widthOf);

}  // namespace tilestep::ui
