// SPDX-License-Identifier: Apache-2.0
#include "gfx/pdf/embedded_font.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

#include "gfx/pdf/cff.h"

namespace tilestep::gfx {
namespace {

std::string units(float ems) {
  return std::to_string(std::lround(ems * kUnitsPerEm));
}

/// "<0041>"
std::string codeText(size_t code) {
  char text[24];
  std::snprintf(text, sizeof text, "<%04zX>", code);
  return text;
}

/// The prefix says that the font is not the whole one; names have no spaces.
std::string embeddedName(const std::string& name) {
  std::string plain;
  std::ranges::copy_if(name, std::back_inserter(plain), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_';
  });
  return "TILSTP+" + plain;
}

}  // namespace

std::optional<uint16_t> EmbeddedFont::codeOf(char32_t character) {
  const auto known = codes_.find(character);
  if (known != codes_.end()) return known->second;
  const int glyph = font_.glyphOf(character);
  if (glyph == 0 || glyphs_.size() > std::numeric_limits<uint16_t>::max()) return std::nullopt;
  const auto code = static_cast<uint16_t>(glyphs_.size());
  glyphs_.push_back(glyph);
  characters_.push_back(character);
  codes_.emplace(character, code);
  return code;
}

std::string EmbeddedFont::widths() const {
  std::string text = "[0 [";
  for (const int glyph : glyphs_) text += units(font_.advanceOf(glyph)) + " ";
  return text + "]]";
}

std::string EmbeddedFont::meanings() const {
  constexpr size_t kMostInBlock = 100;  // The format's limit.
  std::string text =
      "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
      "/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def\n"
      "/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n"
      "1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n";
  for (size_t from = 0; from < characters_.size(); from += kMostInBlock) {
    const size_t end = std::min(from + kMostInBlock, characters_.size());
    text += std::to_string(end - from) + " beginbfchar\n";
    for (size_t code = from; code < end; ++code)
      text += codeText(code) + " <" + utf16Of(characters_[code]) + ">\n";
    text += "endbfchar\n";
  }
  return text + "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n";
}

size_t EmbeddedFont::addTo(PdfFile& file) const {
  const std::string name = embeddedName(font_.name());
  const size_t program = file.addStream("/Subtype /CIDFontType0C", cffOf(font_, glyphs_));
  const std::string top = units(font_.ascent()), bottom = units(font_.descent());
  // Flags: 4 stands for a font of any characters. The widths of stems matter only where a viewer
  // substitutes the font.
  const size_t descriptor =
      file.add("<</Type /FontDescriptor /FontName /" + name +
               " /Flags 4 /ItalicAngle 0 /StemV 80 /FontBBox [-1000 " + bottom + " 3000 " + top +
               "] /Ascent " + top + " /Descent " + bottom + " /CapHeight " + top + " /FontFile3 " +
               reference(program) + ">>");
  const size_t glyphs =
      file.add("<</Type /Font /Subtype /CIDFontType0 /BaseFont /" + name +
               " /CIDSystemInfo <</Registry (Adobe) /Ordering (Identity) /Supplement 0>>"
               " /FontDescriptor " +
               reference(descriptor) + " /W " + widths() + ">>");
  return file.add("<</Type /Font /Subtype /Type0 /BaseFont /" + name +
                  " /Encoding /Identity-H /DescendantFonts [" + reference(glyphs) +
                  "] /ToUnicode " + reference(file.addStream("", meanings())) + ">>");
}

}  // namespace tilestep::gfx
