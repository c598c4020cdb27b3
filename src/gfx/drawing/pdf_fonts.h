// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cairo.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "gfx/drawing/drawing.h"
#include "gfx/drawing/pdf.h"

namespace tilestep::gfx {

class PdfFonts {
 public:
  /// Fails if a typeface has no font or if a file cannot be read as a font.
  static Result<PdfFonts> open(const TypefaceFiles& files);

  /// Draws a text that readers can select, with the width of its box.
  void draw(cairo_t* canvas, const TextShape& text) const;

 private:
  /// A font at 1000 units per em, in which glyphs are looked up and measured.
  struct Release {
    void operator()(cairo_scaled_font_t* font) const { cairo_scaled_font_destroy(font); }
  };
  using Font = std::unique_ptr<cairo_scaled_font_t, Release>;
  struct Run;

  static Result<Font> openFont(const std::string& path);
  [[nodiscard]] std::vector<Run> runsOf(const TextShape& text) const;

  std::array<std::vector<Font>, 3> faces_;  ///< Indexed by Typeface.
};

}  // namespace tilestep::gfx
