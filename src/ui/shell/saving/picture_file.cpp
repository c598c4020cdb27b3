// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/saving/picture_file.h"

#include <utility>

#include "gfx/drawing/svg.h"
#include "gfx/png.h"
#include "ui/shell/saving/view_words.h"

namespace tilestep::ui {
namespace {

bool isPng(SaveAs as) {
  return as == SaveAs::png || as == SaveAs::doublePng || as == SaveAs::stepPngs;
}

/// Whether a picture has double density. Handouts have it, because they may be enlarged.
bool isDouble(SaveAs as) {
  return as == SaveAs::doublePng || as == SaveAs::stepPngs;
}

gfx::TypefaceFiles typefacesOf(const FontFiles& fonts) {
  gfx::TypefaceFiles files;
  const auto add = [](std::vector<std::string>& to, const std::string& file) {
    if (isDrawable(file)) to.push_back(file);
  };
  add(files.text, fonts.text);
  add(files.strong, fonts.strong);
  add(files.mono, fonts.mono);
  for (auto* face : {&files.text, &files.strong, &files.mono}) add(*face, fonts.fallback);
  return files;
}

}  // namespace

Result<std::unique_ptr<ViewPainter>> painterFor(SaveAs as, const PictureTools& tools) {
  if (!isPng(as)) return std::make_unique<ViewPainter>(tools.fonts, 1.0F, nullptr);
  Result<std::unique_ptr<gfx::Renderer>> renderer = gfx::makeGlRenderer(tools.home / "shaders");
  if (!renderer) return renderer.error();
  return std::make_unique<ViewPainter>(tools.fonts, isDouble(as) ? 2.0F : 1.0F,
                                       std::move(*renderer));
}

gfx::PdfPage pageOf(ViewShapes shapes) {
  return {std::move(shapes.drawing), shapes.box, shapes.background};
}

Result<std::string> pdfFileOf(const std::vector<gfx::PdfPage>& pages, const gfx::PdfInfo& info,
                              const PictureTools& tools) {
  return gfx::pdfOf(pages, info, typefacesOf(tools.fonts));
}

Result<PictureFile> pictureFileOf(SaveAs as, const ViewRequest& request, ViewPainter& painter,
                                  const PictureTools& tools) {
  const auto fileOf = [](Result<std::string> bytes, std::string& lacks) -> Result<PictureFile> {
    if (!bytes) return bytes.error();
    return PictureFile{std::move(*bytes), std::move(lacks)};
  };
  if (isPng(as)) {
    Result<ViewPixels> made = painter.pixels(request);
    if (!made) return made.error();
    const gfx::Pixels& pixels = made->pixels;
    return fileOf(gfx::pngOf(pixels.width, pixels.height, pixels.rgba), made->lacks);
  }
  Result<ViewShapes> shapes = painter.shapes(request);
  if (!shapes) return shapes.error();
  const std::string title = titleOfView(request.view, request.now);
  if (as == SaveAs::pdf) {
    std::string lacks = std::move(shapes->lacks);
    return fileOf(pdfFileOf({pageOf(std::move(*shapes))}, {title, request.now.sentence}, tools),
                  lacks);
  }
  return fileOf(gfx::svgOf(shapes->drawing, shapes->box, shapes->background,
                           {"Tilestep: " + title, request.now.sentence}),
                shapes->lacks);
}

}  // namespace tilestep::ui
