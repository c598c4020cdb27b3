// SPDX-License-Identifier: Apache-2.0
#include "gfx/drawing/pdf_fonts.h"

#include <cairo-ft.h>
#include <fontconfig/fontconfig.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/printable.h"

namespace tilestep::gfx {
namespace {

constexpr double kUnitsPerEm = 1000;

/// Options that prevent rounding of glyphs and advances to pixels.
struct FontOptions {
  FontOptions() {
    cairo_font_options_set_hint_style(own, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(own, CAIRO_HINT_METRICS_OFF);
  }
  ~FontOptions() { cairo_font_options_destroy(own); }
  FontOptions(const FontOptions&) = delete;
  FontOptions& operator=(const FontOptions&) = delete;
  cairo_font_options_t* own = cairo_font_options_create();
};

/// The first character of valid UTF-8.
std::string_view firstCharacter(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  return text.substr(0, first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4);
}

/// The glyph of a character; 0 if the font has none.
unsigned long glyphOf(cairo_scaled_font_t* font, std::string_view character) {
  cairo_glyph_t* glyphs = nullptr;
  int count = 0;
  const cairo_status_t status = cairo_scaled_font_text_to_glyphs(
      font, 0, 0, character.data(), static_cast<int>(character.size()), &glyphs, &count, nullptr,
      nullptr, nullptr);
  const unsigned long index = status == CAIRO_STATUS_SUCCESS && count > 0 ? glyphs[0].index : 0;
  cairo_glyph_free(glyphs);
  return index;
}

/// The em at which the window draws a font whose lines are `lineHeight` high.
double emOf(cairo_scaled_font_t* font, double lineHeight) {
  cairo_font_extents_t extents;
  cairo_scaled_font_extents(font, &extents);
  return lineHeight * kUnitsPerEm / (extents.ascent + extents.descent);
}

}  // namespace

/// Adjacent characters of one font. Positions are relative to the start of the text.
struct PdfFonts::Run {
  cairo_scaled_font_t* font = nullptr;
  double em = 0;
  std::string text;
  std::vector<cairo_glyph_t> glyphs;
  double end = 0;
};

Result<PdfFonts::Font> PdfFonts::openFont(const std::string& path) {
  FcPattern* pattern = FcPatternCreate();
  FcPatternAddString(pattern, FC_FILE, reinterpret_cast<const FcChar8*>(path.c_str()));
  FcPatternAddInteger(pattern, FC_INDEX, 0);
  cairo_font_face_t* face = cairo_ft_font_face_create_for_pattern(pattern);
  FcPatternDestroy(pattern);
  cairo_matrix_t size, identity;
  cairo_matrix_init_scale(&size, kUnitsPerEm, kUnitsPerEm);
  cairo_matrix_init_identity(&identity);
  Font font(cairo_scaled_font_create(face, &size, &identity, FontOptions().own));
  cairo_font_face_destroy(face);
  cairo_font_extents_t extents;
  cairo_scaled_font_extents(font.get(), &extents);
  if (cairo_scaled_font_status(font.get()) != CAIRO_STATUS_SUCCESS ||
      extents.ascent + extents.descent <= 0)
    return requestError("The file " + path + " is not a TrueType or OpenType font");
  return font;
}

Result<PdfFonts> PdfFonts::open(const TypefaceFiles& files) {
  PdfFonts fonts;
  auto face = fonts.faces_.begin();
  for (const auto* paths : {&files.text, &files.strong, &files.mono}) {
    for (const std::string& path : *paths) {
      Result<Font> font = openFont(path);
      if (!font) return font.error();
      face->push_back(std::move(*font));
    }
    if (face->empty())
      return requestError(
          "A PDF needs installed fonts; install Inter and JetBrains Mono, or DejaVu");
    ++face;
  }
  return fonts;
}

std::vector<PdfFonts::Run> PdfFonts::runsOf(const TextShape& text) const {
  const std::vector<Font>& fonts = faces_[static_cast<size_t>(text.face)];
  const std::string valid = printableLine(text.text);
  std::vector<Run> runs;
  double x = 0;
  for (std::string_view rest = valid; !rest.empty();) {
    const std::string_view character = firstCharacter(rest);
    rest.remove_prefix(character.size());
    const auto having = std::ranges::find_if(
        fonts, [&](const Font& font) { return glyphOf(font.get(), character) != 0; });
    cairo_scaled_font_t* font = having == fonts.end() ? fonts.front().get() : having->get();
    if (runs.empty() || runs.back().font != font)
      runs.push_back({font, emOf(font, double(text.box.height)), {}, {}, x});
    Run& run = runs.back();
    const cairo_glyph_t glyph{glyphOf(font, character), x, 0};
    cairo_text_extents_t extents;
    cairo_scaled_font_glyph_extents(font, &glyph, 1, &extents);
    run.text += character;
    run.glyphs.push_back(glyph);
    run.end = x += extents.x_advance * run.em / kUnitsPerEm;
  }
  return runs;
}

void PdfFonts::draw(cairo_t* canvas, const TextShape& text) const {
  const std::vector<Run> runs = runsOf(text);
  if (runs.empty()) return;
  const double width = runs.back().end;
  const double stretch = width > 0 ? std::clamp(double(text.box.width) / width, 0.5, 2.0) : 1;
  cairo_save(canvas);
  cairo_translate(canvas, text.box.x, text.baseline);
  cairo_rotate(canvas, text.angle);
  cairo_scale(canvas, stretch, 1);
  cairo_set_font_options(canvas, FontOptions().own);
  for (const Run& run : runs) {
    cairo_set_font_face(canvas, cairo_scaled_font_get_font_face(run.font));
    cairo_set_font_size(canvas, run.em);
    // The glyphs are written as one cluster with its text, so that PDF readers know where blanks
    // are and need not guess from distances.
    const int bytes = static_cast<int>(run.text.size());
    const int count = static_cast<int>(run.glyphs.size());
    const cairo_text_cluster_t all{bytes, count};
    cairo_show_text_glyphs(canvas, run.text.data(), bytes, run.glyphs.data(), count, &all, 1, {});
  }
  cairo_restore(canvas);
}

}  // namespace tilestep::gfx
