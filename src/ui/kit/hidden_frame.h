// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>

#include "ui/kit/context.h"

struct ImGuiContext;

namespace tilestep::ui {

/// A separate Dear ImGui context in which panels are drawn to be saved. It needs neither a display
/// nor the window's frame. Main thread only, outside a frame.
class HiddenFrame {
 public:
  /// The output of the frames: shapes (gfx::drawingOf), which need readable glyphs, or pixels.
  enum class For { shapes, pixels };
  /// `scale` applies to the fonts. Glyphs are made for `density` pixels per coordinate.
  HiddenFrame(const FontFiles& files, float scale, For use, float density = 1);
  ~HiddenFrame();
  HiddenFrame(const HiddenFrame&) = delete;
  HiddenFrame& operator=(const HiddenFrame&) = delete;

  /// Makes the frame's context the current one during its lifetime.
  class Current {
   public:
    explicit Current(const HiddenFrame& frame);
    ~Current();
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;

   private:
    ImGuiContext* before_;
  };

  struct Request {
    const model::Snapshot& now;
    model::Session& session;
    UiState& ui;
    const gfx::Palette& palette;
    float width, height;
    bool smooth = false;  ///< Edges are antialiased, which shapes cannot represent.
  };
  using Draw = std::function<void(const Context& context)>;
  /// Draws frames until the layout has settled; `draw` fills an ImGui window of that size. While a
  /// Current exists, ImGui::GetDrawData() returns the last frame.
  void draw(const Request& request, const Draw& draw) const;
  /// The additional width and height that the frame needs so that all of its content is visible
  /// without scrolling. Needs a Current.
  [[nodiscard]] ImVec2 hidden() const;

  [[nodiscard]] const Fonts& fonts() const { return fonts_; }

 private:
  ImGuiContext* own_;
  float density_;
  Fonts fonts_;
};

/// The longest wait for parts of a picture that are made on another thread, such as details of
/// large matrices.
inline constexpr std::chrono::milliseconds kPatience{5000};
/// Paints again while the last picture is `moving`, but no longer than `patience`.
void paintUntilStill(const std::function<bool()>& moving, const std::function<void()>& paint,
                     std::chrono::milliseconds patience = kPatience);

/// The window's state without the user's current interaction: no pointer, no dialogue, no moved
/// camera, and none of the widgets that change something.
[[nodiscard]] UiState withoutPerson(const UiState& ui);

}  // namespace tilestep::ui
