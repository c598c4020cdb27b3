// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "gfx/pdf/outline_font.h"
#include "gfx/pdf/pdf_file.h"

namespace tilestep::gfx {

/// A font with those of its glyphs that a document uses, each known by a code of two bytes. The
/// document can be searched, because the font also says which character each code stands for.
class EmbeddedFont {
 public:
  explicit EmbeddedFont(OutlineFont font) : font_(std::move(font)) {}

  [[nodiscard]] const OutlineFont& outlines() const { return font_; }
  /// The character's code, which is new at its first use; nothing where the font lacks it.
  std::optional<uint16_t> codeOf(char32_t character);
  /// The code of the sign for characters that no font has.
  static constexpr uint16_t kMissing = 0;
  [[nodiscard]] float advanceOf(uint16_t code) const { return font_.advanceOf(glyphs_[code]); }

  /// Adds the font with the glyphs that got a code, and returns its object.
  size_t addTo(PdfFile& file) const;

 private:
  [[nodiscard]] std::string widths() const;
  [[nodiscard]] std::string meanings() const;

  OutlineFont font_;
  std::vector<int> glyphs_{0};                ///< By code.
  std::vector<char32_t> characters_{0xFFFD};  ///< By code.
  std::map<char32_t, uint16_t> codes_;
};

}  // namespace tilestep::gfx
