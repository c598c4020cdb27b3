// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "gfx/drawing/drawing.h"
#include "gfx/offscreen.h"
#include "ui/kit/hidden_frame.h"
#include "ui/shell/saving/picture_gaps.h"
#include "ui/shell/saving/view_content.h"

namespace tilestep::ui {

struct ViewRequest {
  const model::Snapshot& now;
  model::Session& session;
  const UiState& ui;   ///< The window's settings; zoomed plots stay zoomed.
  std::string view;    ///< The id of its table (model/export/table.h).
  bool print = false;  ///< In print colours; otherwise in the window's theme.
  std::string day;     ///< Printed below the picture.
  std::string note;    ///< Printed below the title; may be empty.
};

/// A picture as shapes; `box` encloses all of it.
struct ViewShapes {
  gfx::Drawing drawing;
  gfx::Box box;
  gfx::Color background;
  std::string lacks;  ///< Parts of the view that it omits (picture_gaps.h).
};

struct ViewPixels {
  gfx::Pixels pixels;
  std::string lacks;
};

/// Draws a view alone, as a picture for a slide or a page, with a title, a caption and the source
/// of the numbers. Pictures are 1600 x 900 pixels (1131 high with a lesson's text), or as large as
/// their content requires, up to kMostOfPicture; the rest is cut, and the picture says so. The
/// painter waits for details of large matrices, but not forever. Main thread only, outside a frame.
class ViewPainter {
 public:
  /// Pictures have `density` pixels per coordinate. `renderer` draws the scenes of pixels(), which
  /// also needs the window's OpenGL context; null if only shapes are needed. `patience` is the
  /// longest wait for details.
  ViewPainter(const FontFiles& files, float density, std::unique_ptr<gfx::Renderer> renderer,
              std::chrono::milliseconds patience = kPatience);
  ~ViewPainter();
  ViewPainter(const ViewPainter&) = delete;
  ViewPainter& operator=(const ViewPainter&) = delete;

  /// Whether the view can be drawn; some views are only tables.
  [[nodiscard]] bool canDraw(const ViewRequest& request) const;
  /// Both functions return an error if the picture would be useless; pixels() also if it has too
  /// many pixels.
  [[nodiscard]] Result<ViewShapes> shapes(const ViewRequest& request);
  [[nodiscard]] Result<ViewPixels> pixels(const ViewRequest& request);

 private:
  struct Drawn {
    ImVec2 size;
    std::string lacks;
  };
  /// Draws until the picture holds the whole view, or as much as it can.
  Result<Drawn> draw(const ViewRequest& request, const gfx::Palette& palette, bool smooth);
  void drawPicture(const ViewRequest& request, const Context& context);

  HiddenFrame frame_;
  float density_;
  std::chrono::milliseconds patience_;
  std::unique_ptr<gfx::Renderer> renderer_;
  std::unique_ptr<gfx::Offscreen> offscreen_;  ///< Null if there is no renderer.
  ViewContent content_;
};

[[nodiscard]] gfx::Palette paletteOf(const ViewRequest& request);

}  // namespace tilestep::ui
