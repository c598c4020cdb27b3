// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gfx/drawing/drawing.h"
#include "gfx/pdf/embedded_font.h"
#include "gfx/pdf/pdf_file.h"

namespace tilestep::gfx {

/// What the pages of a document share: fonts, images, stripes and degrees of opacity.
class PdfResources {
 public:
  /// The places of each typeface's fonts, by Typeface, in `fonts`.
  PdfResources(PdfFile& file, std::vector<EmbeddedFont> fonts,
               std::array<std::vector<size_t>, 3> faces);

  /// A character's font, as its place in fonts(), and code.
  std::pair<size_t, uint16_t> glyphOf(Typeface face, char32_t character);
  [[nodiscard]] const EmbeddedFont& font(size_t at) const { return fonts_[at]; }
  /// These return names that a page's content uses.
  std::string opacity(uint8_t alpha);
  std::string image(const ImageShape& image);
  /// `matrix`: from the stripes' coordinates to the page's.
  std::string stripes(bool rising, Color color, const std::string& matrix);

  /// Adds everything to the file, and returns the dictionary that names it.
  std::string finish();

 private:
  PdfFile& file_;
  std::vector<EmbeddedFont> fonts_;
  std::array<std::vector<size_t>, 3> faces_;
  std::set<size_t> used_;  ///< Fonts that something is set in.
  std::map<uint8_t, std::string> opacities_;
  std::map<std::string, size_t> images_, stripes_;
};

/// The commands that draw the part of the drawing on a page.
[[nodiscard]] std::string pageContentOf(const Drawing& drawing, const Box& part, Color background,
                                        PdfResources& resources);

/// Points per pixel.
inline constexpr float kPoints = 0.75F;

}  // namespace tilestep::gfx
