// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>
#include <vector>

namespace tilestep::ui {

/// The width of a piece of text, in the unit of the line's width; additive over pieces.
using WidthOf = std::function<float(std::string_view)>;

/// Splits `text` into lines no wider than `width`, at least one per '\n'. Lines break only at
/// spaces (ImGui's own wrapping would also break "4,096" after the comma). A word that is wider
/// than a line breaks where the line is full, but never inside a UTF-8 character. The spaces at a
/// break belong to no line. The lines are views into `text`.
[[nodiscard]] std::vector<std::string_view> linesOf(std::string_view text, float width,
                                                    const WidthOf& widthOf);

}  // namespace tilestep::ui
