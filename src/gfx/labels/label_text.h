// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gfx/camera.h"
#include "gfx/scene.h"

/// Short texts of cells, and estimates of where texts are. Private to this folder.
namespace tilestep::gfx {

/// "M[2,5]"
[[nodiscard]] std::string elementName(const std::string& matrix, uint32_t row, uint32_t column);
/// "Mds[0][1]"
[[nodiscard]] std::string slotName(const std::string& array, uint32_t row, uint32_t column);
/// About three digits, for a cell: "0.53", "-12.1", "1036".
[[nodiscard]] std::string shortText(float value);
/// About two digits, for a narrow cell: "0.5", "-12", "1e3".
[[nodiscard]] std::string shorterText(float value);
/// As many digits as are needed to distinguish adjacent floats.
[[nodiscard]] std::string exactText(float value);
/// The value of an element; absent if it is unknown, or if only a mean of several elements is
/// known.
[[nodiscard]] std::optional<float> valueAt(const MatrixPanel& panel, uint32_t row, uint32_t column);

/// The number of characters (UTF-8 code points).
[[nodiscard]] size_t characters(const std::string& text);
/// A slightly generous estimate of a text's width. Digits and letters of proportional sans-serif
/// fonts are 0.53 to 0.6 em wide.
[[nodiscard]] float guessedWidth(const std::string& text, float height);
/// The largest height at which `text` fits into a width, by the same estimate.
[[nodiscard]] float heightFor(const std::string& text, float width);
/// Whether a line of this width crosses a box.
[[nodiscard]] bool meets(const Box& box, Point from, Point to, float width);
/// Lines no wider than `width`, broken at spaces.
[[nodiscard]] std::vector<std::string> wrapped(const std::string& text, float height, float width);

}  // namespace tilestep::gfx
