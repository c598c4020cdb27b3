// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "gfx/drawing/number.h"
#include "gfx/pdf/page_content.h"

namespace tilestep::gfx {
namespace {

std::string dictionary(const char* name, const std::string& entries) {
  return entries.empty() ? "" : std::string(" /") + name + " <<" + entries + ">>";
}

}  // namespace

PdfResources::PdfResources(PdfFile& file, std::vector<EmbeddedFont> fonts,
                           std::array<std::vector<size_t>, 3> faces)
    : file_(file), fonts_(std::move(fonts)), faces_(std::move(faces)) {}

std::pair<size_t, uint16_t> PdfResources::glyphOf(Typeface face, char32_t character) {
  const std::vector<size_t>& places = faces_[static_cast<size_t>(face)];
  std::pair<size_t, uint16_t> glyph{places.front(), EmbeddedFont::kMissing};
  for (const size_t at : places) {
    const std::optional<uint16_t> code = fonts_[at].codeOf(character);
    if (!code) continue;
    glyph = {at, *code};
    break;
  }
  used_.insert(glyph.first);
  return glyph;
}

std::string PdfResources::opacity(uint8_t alpha) {
  const std::string share = number(float(alpha) / 255, 4);
  opacities_.emplace(alpha, "<</ca " + share + " /CA " + share + ">>");
  return "/G" + std::to_string(alpha);
}

std::string PdfResources::image(const ImageShape& image) {
  std::string colours, alphas;
  bool opaque = true;
  for (size_t i = 0; i + 3 < image.rgba.size(); i += 4) {
    colours.append(image.rgba.begin() + std::ptrdiff_t(i),
                   image.rgba.begin() + std::ptrdiff_t(i) + 3);
    alphas += static_cast<char>(image.rgba[i + 3]);
    opaque &= image.rgba[i + 3] == 255;
  }
  const std::string size = " /Type /XObject /Subtype /Image /BitsPerComponent 8 /Width " +
                           std::to_string(image.columns) + " /Height " + std::to_string(image.rows);
  const std::string mask =
      opaque ? ""
             : " /SMask " + reference(file_.addStream(size + " /ColorSpace /DeviceGray", alphas));
  std::string name = "/I" + std::to_string(images_.size());
  images_.emplace(name, file_.addStream(size + " /ColorSpace /DeviceRGB" + mask, colours));
  return name;
}

std::string PdfResources::stripes(bool rising, Color color, const std::string& matrix) {
  // The same stripes as in SVG.
  const std::string period = rising ? "5" : "8.5", width = rising ? "1" : "2";
  const auto channel = [](uint8_t value) { return number(float(value) / 255, 4) + " "; };
  const std::string entries =
      " /Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 " + period +
      " 8] /XStep " + period + " /YStep 8 /Resources <<>> /Matrix [" + matrix + "]";
  const std::string content =
      channel(color.r) + channel(color.g) + channel(color.b) + "rg 0 0 " + width + " 8 re f";
  const auto [at, fresh] = stripes_.try_emplace(entries + content, 0);
  if (fresh) at->second = file_.addStream(entries, content);
  return "/P" + std::to_string(at->second);
}

std::string PdfResources::finish() {
  std::string fonts, opacities, images, stripes;
  for (size_t i = 0; i < fonts_.size(); ++i)
    if (used_.contains(i))
      fonts += "/F" + std::to_string(i) + " " + reference(fonts_[i].addTo(file_)) + " ";
  for (const auto& [alpha, state] : opacities_)
    opacities += "/G" + std::to_string(alpha) + " " + state + " ";
  for (const auto& [name, object] : images_) images += name + " " + reference(object) + " ";
  for (const auto& [description, object] : stripes_)
    stripes += "/P" + std::to_string(object) + " " + reference(object) + " ";
  return "<<" + dictionary("Font", fonts) + dictionary("ExtGState", opacities) +
         dictionary("XObject", images) + dictionary("Pattern", stripes) + ">>";
}

}  // namespace tilestep::gfx
