// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "gfx/drawing/pdf.h"
#include "ui/kit/save_wish.h"
#include "ui/shell/saving/view_painter.h"

namespace tilestep::ui {

struct PictureTools {
  FontFiles fonts;
  std::filesystem::path home;  ///< Holds shaders/.
};

/// Makes the painter for one kind of picture; PNG needs the window's OpenGL context.
[[nodiscard]] Result<std::unique_ptr<ViewPainter>> painterFor(SaveAs as, const PictureTools& tools);

struct PictureFile {
  std::string bytes;
  std::string lacks;  ///< Parts of the view that it omits (picture_gaps.h).
};

/// The view as a PNG, SVG or PDF file. `painter` must have been made for the same kind. An error if
/// the picture cannot be made.
[[nodiscard]] Result<PictureFile> pictureFileOf(SaveAs as, const ViewRequest& request,
                                                ViewPainter& painter, const PictureTools& tools);

[[nodiscard]] Result<std::string> pdfFileOf(const std::vector<gfx::PdfPage>& pages,
                                            const gfx::PdfInfo& info, const PictureTools& tools);
[[nodiscard]] gfx::PdfPage pageOf(ViewShapes shapes);

}  // namespace tilestep::ui
