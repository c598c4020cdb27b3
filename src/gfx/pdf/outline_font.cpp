// SPDX-License-Identifier: Apache-2.0
#include "gfx/pdf/outline_font.h"

#include <stb_truetype.h>

#include <filesystem>
#include <utility>

#include "base/files.h"

namespace tilestep::gfx {

struct OutlineFont::Data {
  std::string bytes;
  stbtt_fontinfo info{};
  float perUnit = 0;  ///< Ems.
};

OutlineFont::OutlineFont() : data_(std::make_unique<Data>()) {}
OutlineFont::OutlineFont(OutlineFont&&) noexcept = default;
OutlineFont& OutlineFont::operator=(OutlineFont&&) noexcept = default;
OutlineFont::~OutlineFont() = default;

Result<OutlineFont> OutlineFont::read(const std::string& path) {
  constexpr size_t kLeastBytes = 12, kMostBytes = size_t{64} << 20;
  Result<std::string> bytes = readTextFile(path, kMostBytes);
  if (!bytes) return bytes.error();
  OutlineFont font;
  Data& data = *font.data_;
  data.bytes = std::move(*bytes);
  const auto* start = reinterpret_cast<const unsigned char*>(data.bytes.data());
  const int offset = data.bytes.size() < kLeastBytes ? -1 : stbtt_GetFontOffsetForIndex(start, 0);
  if (offset < 0 || stbtt_InitFont(&data.info, start, offset) == 0)
    return requestError("The file " + path + " is no TrueType or OpenType font");
  data.perUnit = stbtt_ScaleForMappingEmToPixels(&data.info, 1);
  int ascent = 0, descent = 0, gap = 0;
  stbtt_GetFontVMetrics(&data.info, &ascent, &descent, &gap);
  font.ascent_ = float(ascent) * data.perUnit;
  font.descent_ = float(descent) * data.perUnit;
  font.name_ = std::filesystem::path(path).stem().string();
  return font;
}

int OutlineFont::glyphOf(char32_t character) const {
  return stbtt_FindGlyphIndex(&data_->info, static_cast<int>(character));
}

float OutlineFont::advanceOf(int glyph) const {
  int advance = 0, bearing = 0;
  stbtt_GetGlyphHMetrics(&data_->info, glyph, &advance, &bearing);
  return float(advance) * data_->perUnit;
}

std::vector<OutlineStep> OutlineFont::outlineOf(int glyph) const {
  stbtt_vertex* corners = nullptr;
  const int count = stbtt_GetGlyphShape(&data_->info, glyph, &corners);
  const float unit = data_->perUnit;
  const auto at = [unit](float x, float y) { return Point{x * unit, y * unit}; };
  std::vector<OutlineStep> steps;
  Point from;
  for (int i = 0; i < count; ++i) {
    const stbtt_vertex& v = corners[i];
    OutlineStep step{OutlineStep::Kind::line, {}, {}, at(v.x, v.y)};
    if (v.type == STBTT_vmove) {
      step.kind = OutlineStep::Kind::move;
    } else if (v.type == STBTT_vcubic) {
      step = {OutlineStep::Kind::curve, at(v.cx, v.cy), at(v.cx1, v.cy1), step.to};
    } else if (v.type == STBTT_vcurve) {  // Quadratic: raised to a cubic curve of the same shape.
      const Point middle = at(v.cx, v.cy);
      const auto towards = [&](Point end) {
        return Point{end.x + (middle.x - end.x) * 2 / 3, end.y + (middle.y - end.y) * 2 / 3};
      };
      step = {OutlineStep::Kind::curve, towards(from), towards(step.to), step.to};
    }
    from = step.to;
    steps.push_back(step);
  }
  stbtt_FreeShape(&data_->info, corners);
  return steps;
}

}  // namespace tilestep::gfx
