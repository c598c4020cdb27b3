// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "features/timeline/panel_layout.h"
#include "gfx/camera.h"
#include "gfx/palette.h"
#include "gfx/scene.h"
#include "model/session.h"
#include "ui/kit/fonts.h"
#include "ui/kit/plot_state.h"

namespace tilestep::model {
struct Lesson;  // features/lessons/lesson.h
}

namespace tilestep::ui {

using model::kPanels;
using model::Panel;
using model::PanelWish;
using model::Stage;
using model::Theme;
[[nodiscard]] gfx::Palette paletteOf(Theme theme);

/// The camera of one look: what fits the presentation does not fit the desk.
struct View {
  gfx::Camera camera;        ///< One for both scenes, so that they stay comparable.
  bool cameraMoved = false;  ///< By hand; otherwise the scenes always fit.
};

/// The dialogue that copies or saves a view (ui/shell/save_dialog.h).
struct SaveDialog {
  bool open = false, opened = false;  ///< `opened`: just now.
  std::string view = "traffic";       ///< The id of a table (model/export/table.h).
  std::string path;
  bool typed = false;  ///< The path is the person's own.
  int renamed = 0;     ///< How often it was not: a field keeps its own text while it is typed in.
  std::string asked;   ///< The path whose replacement was asked about.
  std::string trouble;
  bool tall = false;  ///< Higher than the window: it scrolls.
};

/// News that are shown over the scene for a while, wherever the notices are.
struct Toast {
  std::optional<model::Notice> notice;  ///< The newest so far.
  double until = 0;                     ///< Seconds, as Context::now.
};

/// Live mode's plots, which lie below each other.
struct LivePlots {
  AxisView time;
  std::array<AxisView, 3> y;  ///< Work, bytes, shares of a warp's cycles.
  PlotCursor cursor;
};

/// Save a picture of the next frame, or of a part of it.
struct PictureWish {
  std::filesystem::path path;
  gfx::Box box;  ///< ImGui coordinates; no area: all of it.
};

/// Frames in which a wished answer field asks for the keyboard; it stops once it has it.
inline constexpr int kAnswerFrames = 3;

/// What belongs to the window alone. Its look and its switches are the present ones
/// (ui/shell/appearances.h).
struct UiState : model::Appearance, model::ViewOptions, View {
  bool presenting = false;
  model::Appearance otherLook = model::presentationLook();  ///< The desk's while presenting.
  View otherView;
  unsigned looksTakenBack = 0;  ///< Session::looksTakenBack() as last seen.
  float shownScale = 1;         ///< Of the fonts in use.
  /// By Panel: what the last frame had room for. A panel may be wanted and not shown.
  std::array<bool, kPanels> shown{true, true, true};
  bool help = false;
  float helpScroll = 0;      ///< By how many lines to move it in the next frame.
  bool menuWished = false;   ///< Open the menu in the next frame.
  bool popupOpen = false;    ///< A menu or a list was open in the last frame.
  bool blockWished = false;  ///< Zoom to the chosen block in the next frame.
  bool goToWished = false;   ///< Ask for a step's number in the next frame.
  uint32_t lineChosen = 0;   ///< Of the main kernel's source: its steps are gone through; 0: none.
  uint32_t lineHovered = 0;  ///< In source or PTX in the last frame: marked in both.
  uint32_t lineUnder = 0;    ///< The same in this frame.
  uint32_t lineWanted = 0;   ///< To be scrolled to in the next frame; 0: none.
  float lessonHeight = 0;    ///< What the lesson's step asks for; 0: none is open.
  std::string lessonAnswer;  ///< As typed.
  std::shared_ptr<const model::Lesson> lessonShown;  ///< To tell when a step is new.
  size_t lessonStep = 0;

  PlotKeys plotKeys;  ///< Wishes of the keyboard for the plot on the stage.
  LivePlots live;

  bool noticesSeen = false;        ///< All of them stand among the controls in this frame.
  bool helpTall = false;           ///< Higher than the window: it scrolls.
  bool typing = false;             ///< A field took the keys in the last frame.
  int answerWished = 0;            ///< For so many frames the lesson's question asks for the keys.
  std::optional<size_t> choiceAt;  ///< The lesson's choice that the keys are at; nothing: none.

  PlotView roofPlot;       ///< Of the large roofline.
  uint64_t runChosen = 0;  ///< The id of a pinned run; 0: none, the newest.
  std::optional<PictureWish> picture;
  std::optional<std::filesystem::path> report;  ///< Write a report with the next frame's picture.
  SaveDialog save;
  TimelineLook timeline;
  Toast toast;
  /// Where the last frame showed each view, by the id of its table; none: it is not on screen.
  std::map<std::string, gfx::Box, std::less<>> viewBoxes;
  std::optional<size_t> sweepAt;  ///< The cell of the sweep's picture that the keys are at.
  bool sweepMoved = false;        ///< By a key: scroll to it.
  gfx::Place hovered;             ///< The cell under the pointer, in either scene.
  unsigned hoveredScene = 0;
  std::string hoverText;

  [[nodiscard]] gfx::Box boxOf(std::string_view view) const {
    const auto at = viewBoxes.find(view);
    return at == viewBoxes.end() ? gfx::Box{} : at->second;
  }
  [[nodiscard]] bool isShown(Panel panel) const { return shown[static_cast<size_t>(panel)]; }
};

/// What a panel gets: everything to draw from, and where wishes go.
struct Context {
  const model::Snapshot& snapshot;
  model::Session& session;
  UiState& ui;
  const gfx::Palette& palette;
  const Fonts& fonts;
  float em = 16;   ///< Height of the interface font; all measures derive from it.
  double now = 0;  ///< Seconds.
};

[[nodiscard]] inline ImU32 colour(gfx::Color c) {
  return gfx::packed(c);
}
[[nodiscard]] inline ImU32 colour(gfx::Color c, float alpha) {
  return gfx::packed(gfx::withAlpha(c, alpha));
}
[[nodiscard]] inline ImVec4 vector(gfx::Color c) {
  return ImGui::ColorConvertU32ToFloat4(gfx::packed(c));
}

/// Sets ImGui's style from the palette, for a font of `em` pixels.
void applyStyle(const gfx::Palette& palette, float em);

}  // namespace tilestep::ui
