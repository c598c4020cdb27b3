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

/// A view that is to be drawn, and how.
struct ViewRequest {
  const model::Snapshot& now;
  model::Session& session;
  const UiState& ui;   ///< What the window shows: zoomed plots stay zoomed.
  std::string view;    ///< The id of its table (model/export/table.h).
  bool print = false;  ///< In colours for paper; otherwise in the window's theme.
  std::string day;     ///< Stands below the picture.
  std::string note;    ///< Stands below the title; may be empty.
};

/// A picture as shapes; `box` is all of it.
struct ViewShapes {
  gfx::Drawing drawing;
  gfx::Box box;
  gfx::Color background;
  std::string lacks;  ///< What of the view it does not show (picture_gaps.h).
};

/// A picture as pixels.
struct ViewPixels {
  gfx::Pixels pixels;
  std::string lacks;
};

/// Draws a view alone, as a picture for a slide or a page: with its title, what it shows, and where
/// the numbers come from, and without the window around it. Pictures are 1600 x 900 pixels (with a
/// lesson's text, 1131 high), or as high and as wide as what they hold requires, up to
/// kMostOfPicture; the rest is cut, and the picture says so. Details of large matrices are waited
/// for, though not forever. For the main thread, and not within a frame.
class ViewPainter {
 public:
  /// `density`: pixels per coordinate. `renderer`: draws the scenes of pixels(), which also needs
  /// the window's OpenGL context; null where only shapes are wanted. `patience`: how long details
  /// are waited for.
  ViewPainter(const FontFiles& files, float density, std::unique_ptr<gfx::Renderer> renderer,
              std::chrono::milliseconds patience = kPatience);
  ~ViewPainter();
  ViewPainter(const ViewPainter&) = delete;
  ViewPainter& operator=(const ViewPainter&) = delete;

  /// Whether the view can be drawn; others are only tables.
  [[nodiscard]] bool canDraw(const ViewRequest& request) const;
  /// These return an error where the picture would be of no use or, of pixels, has too many.
  [[nodiscard]] Result<ViewShapes> shapes(const ViewRequest& request);
  [[nodiscard]] Result<ViewPixels> pixels(const ViewRequest& request);

 private:
  struct Drawn {
    ImVec2 size;
    std::string lacks;
  };
  /// Draws until the picture holds all of the view, or as much as it can.
  Result<Drawn> draw(const ViewRequest& request, const gfx::Palette& palette, bool smooth);
  void drawPicture(const ViewRequest& request, const Context& context);

  HiddenFrame frame_;
  float density_;
  std::chrono::milliseconds patience_;
  std::unique_ptr<gfx::Renderer> renderer_;
  std::unique_ptr<gfx::Offscreen> offscreen_;  ///< Null where there is no renderer.
  ViewContent content_;
};

/// The colours of a request.
[[nodiscard]] gfx::Palette paletteOf(const ViewRequest& request);

}  // namespace tilestep::ui
