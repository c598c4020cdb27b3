// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <any>
#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <typeindex>
#include <vector>

#include "gfx/camera.h"
#include "gfx/palette.h"
#include "gfx/scene.h"
#include "model/session.h"
#include "ui/kit/cube_turn.h"
#include "ui/kit/fonts.h"
#include "ui/kit/plot_state.h"
#include "ui/kit/save_wish.h"

namespace tilestep::ui {

using model::kPanels;
using model::Panel;
using model::PanelWish;
using model::Stage;
using model::Theme;
[[nodiscard]] gfx::Palette paletteOf(Theme theme);

/// The camera of one appearance: the desk and the presentation each have their own.
struct CameraState {
  gfx::Camera camera;  ///< Shared by both scenes, so that they stay comparable.
  /// Moved by the user; otherwise the scenes are fitted into the window.
  bool cameraMoved = false;
};

/// The dialogue that copies or saves a view (ui/shell/saving/save_dialog.h).
struct SaveDialog {
  bool open = false, opened = false;  ///< `opened`: in this frame.
  std::string view = "traffic";       ///< The id of a table (model/export/table.h).
  std::string front;                  ///< The view on screen, which comes first.
  SaveAs as =
      SaveAs::png;     ///< The kind of file, which the path's ending does not always determine.
  bool print = false;  ///< In colours for paper.
  std::string path;
  bool typed = false;  ///< The user typed the path.
  /// How often the path was replaced by the program; a text field keeps its own text while it is
  /// edited.
  int renamed = 0;
  std::string asked;  ///< The path for which the user was asked to confirm overwriting.
  std::string trouble;
  bool tall = false;   ///< Higher than the window, so it scrolls.
  bool moved = false;  ///< A key has chosen another view, which must be scrolled into view.
  float below = 0;     ///< The height of everything below the list of views, in the last frame.
};

/// The dialogue that opens a program or a kernel's file (ui/shell/open_dialog.h).
struct OpenDialog {
  bool open = false, opened = false;   ///< `opened`: in this frame.
  std::string folder;                  ///< The folder whose files are listed.
  bool wished = false;                 ///< Open it in the next frame.
  std::vector<std::string> entries;    ///< Entries of the folder; names of folders end in "/".
  std::string path;                    ///< As typed.
  int at = 0;                          ///< The marked entry.
  bool moved = false, chosen = false;  ///< By keys.
  bool isFresh = false;                ///< Its field should get the keyboard.
  std::string trouble;
};

/// The command palette (ui/shell/palette.h).
struct PaletteState {
  bool open = false, opened = false;  ///< `opened`: in this frame.
  std::string typed;
  int at = 0;           ///< The marked item among those that match.
  bool moved = false;   ///< The mark was moved by a key.
  bool chosen = false;  ///< Enter was pressed.
};

/// The glossary (ui/shell/help/glossary.h).
struct GlossaryState {
  bool open = false;
  std::string_view term{};  ///< The term that is marked: a model::Term's name; empty: none.
  int scrolls = 0;          ///< Number of frames in which it is still scrolled to.
};
/// The list of learning material, and the course plan (features/course).
struct CourseState {
  bool open = false;
  bool isFresh = false;  ///< It was opened since the last frame.
  bool plan = false;     ///< The plan for teachers, instead of the list.
  std::map<std::string, ImVec2>
      rows{};        ///< The position of each entry in the last frame, by its name.
  float scroll = 0;  ///< Number of lines to scroll in the next frame.

  void openList() { *this = {.open = true, .isFresh = true}; }
};
/// A term is scrolled to for several frames, because the first one only measures the rows.
inline constexpr int kGlossaryFrames = 3;

/// The card of the open lesson's step, or of a lab's prediction, between frames.
struct LessonCard {
  /// The height that the card needs for its essential part: an open question with its choices, or
  /// the beginning of an answer. 0: there is none. Pixels, like all heights here.
  float least = 0;
  float text = 0;               ///< The height of the scrolling part in the last frame.
  float question = 0;           ///< The height of the open question below it, in the last frame.
  float rest = 0;               ///< The height of the text below the edge.
  int pages = 0;                ///< Pages to scroll down in the next frame.
  int toTop = 0, toAnswer = 0;  ///< Frames in which it still scrolls to its top, to the answer.
  bool wasOpen = false;         ///< The question was open in the last frame.
  bool folded = false;          ///< Only its head is shown.
  bool ownPlot = false;         ///< The user has chosen another plot than the step's.
  bool ownLevel = false;        ///< The same for the level that the roofline highlights,
  bool ownAllLevels = false;    ///< and for whether it shows every level.
};

/// A notice that is shown over the scene for a while, wherever the list of notices is.
struct Toast {
  std::optional<model::Notice> notice;  ///< The latest notice.
  double until = 0;                     ///< Seconds, as in Context::now.
};

/// The plots of live mode, one below the other.
struct LivePlots {
  AxisView time;
  std::array<AxisView, 3> y;  ///< Work, bytes, shares of a warp's cycles.
  PlotCursor cursor;
};

/// Steps that are being recorded (ui/page/step_walk.h).
struct PageProgress {
  bool shown = false;
  std::string what;          ///< "web page"
  size_t done = 0, all = 0;  ///< Steps.
  bool stop = false;         ///< The user wants to stop it.
};

/// What features keep between frames: one value per type.
class Looks {
 public:
  /// Default-constructed at the first use.
  template <class Look>
  [[nodiscard]] Look& of() {
    std::any& look = all_[typeid(Look)];
    if (!look.has_value()) look = Look();
    return *std::any_cast<Look>(&look);
  }
  /// Null before the first use.
  template <class Look>
  [[nodiscard]] const Look* find() const {
    const auto at = all_.find(typeid(Look));
    return at == all_.end() ? nullptr : std::any_cast<Look>(&at->second);
  }

 private:
  std::map<std::type_index, std::any> all_;
};

/// Number of frames in which a requested answer field asks for the keyboard; it stops once it has
/// it.
inline constexpr int kAnswerFrames = 3;

/// State of the window alone. Its appearance and view options are the present ones
/// (ui/shell/appearances.h).
struct UiState : model::Appearance, model::ViewOptions, CameraState {
  bool presenting = false;
  /// Drawn for a saved file, such as a page: without the widgets that change something.
  bool readOnly = false;
  /// The desk's while presenting, and vice versa.
  model::Appearance otherLook = model::presentationLook();
  CameraState otherCamera;
  unsigned looksTakenBack = 0;  ///< The last seen value of Session::looksTakenBack().
  float shownScale = 1;         ///< The scale of the fonts in use.
  /// Indexed by Panel: which panels fitted in the last frame. A requested panel may be hidden.
  std::array<bool, kPanels> shown{true, true, true};
  bool help = false;
  float helpScroll = 0;      ///< Number of lines to scroll in the next frame.
  bool menuWished = false;   ///< Open the menu in the next frame.
  bool popupOpen = false;    ///< A menu or a list was open in the last frame.
  bool blockWished = false;  ///< Zoom to the chosen block in the next frame.
  bool goToWished = false;   ///< Open the field for a step's number in the next frame.
  /// A line of the main kernel's source whose steps are visited; 0: none.
  uint32_t lineChosen = 0;
  /// The line hovered in source or PTX in the last frame, which is marked in both.
  uint32_t lineHovered = 0;
  uint32_t lineUnder = 0;         ///< The same in this frame.
  uint32_t lineWanted = 0;        ///< The line to scroll to in the next frame; 0: none.
  bool withoutTransport = false;  ///< The bar for steps and playing is hidden.
  bool exerciseOpen = false;      ///< The listing is visible while the stage shows it.
  float lessonHeight = 0;         ///< The height that the lesson's step requests; 0: none is open.
  LessonCard card;
  /// Whether the open question covers the stage and the panel beside the source, so that the
  /// kernel's source takes their place.
  bool stageCovered = false, stepCovered = false;
  bool measuresCovered = false;  ///< The plots and the slider are covered as well.
  bool predicting = false;       ///< A lab waits for its prediction, and nothing else is shown.
  /// Height of the slider in a lesson's column, in the last frame.
  float lessonControlsHeight = 0;
  bool panelServes = false;   ///< The open lesson's step shows a panel beside the source.
  bool sourceServes = false;  ///< It shows the source.
  bool plotServes = true;     ///< The presentation's plot is relevant to the open lesson's step.
  /// The open lesson's step is about occupancy, and the user has not chosen another plot since.
  bool occupancyServes = false;
  /// The level that the roofline highlights for the open lesson's step; `nearest`: none.
  model::RoofFocus levelServes = model::RoofFocus::nearest;
  bool allLevelsServe = false;  ///< The roofline shows every level for the open lesson's step.
  std::string lessonAnswer;     ///< As typed.
  std::shared_ptr<const void> lessonShown;  ///< The lesson, to detect a new step.
  size_t lessonStep = 0;

  PlotKeys plotKeys;  ///< Keyboard requests for the plot on the stage.
  LivePlots live;

  bool noticesSeen = false;  ///< All notices are visible among the controls in this frame.
  bool helpTall = false;     ///< Higher than the window, so it scrolls.
  bool typing = false;       ///< A text field had the keyboard in the last frame, and keeps it.
  /// A text field of the last frame will get the keyboard soon: typed letters are not keys.
  bool typingSoon = false;
  bool walking = false;  ///< Keyboard navigation is active, and the focused control is marked.
  /// The last click was on read-only code: letters typed after it are not keys.
  bool codeClicked = false;
  /// Number of frames for which the lesson's answer field still requests the keyboard.
  int answerWished = 0;
  /// The lesson's choice that is selected by keyboard; absent: none.
  std::optional<size_t> choiceAt;

  PlotView roofPlot;       ///< State of the large roofline.
  uint64_t runChosen = 0;  ///< The id of a pinned run; 0: none, so the newest is used.
  std::optional<SaveWish> wish;
  PaletteState palette;
  GlossaryState glossary;
  CourseState course;
  PageProgress pageProgress;
  SaveDialog save;
  OpenDialog openDialog;
  bool codeTyping = false;       ///< Code is typed: Tab belongs to it.
  bool searchWished = false;     ///< The field that searches a program's text takes the keyboard.
  bool isProgramOpen = false;    ///< A person's program, which the scene has a way back to.
  uint64_t programOpenings = 0;  ///< The last seen value of ProgramView::openings.
  Looks looks;
  CubeTurn cube;
  Toast toast;
  /// The position of each view in the last frame, by the id of its table; absent if not on screen.
  std::map<std::string, gfx::Box, std::less<>> viewBoxes;
  std::optional<size_t> sweepAt;  ///< The cell of the sweep's plot that is selected by keyboard.
  bool sweepMoved = false;        ///< Moved by a key, so it must be scrolled to.
  gfx::Place hovered;             ///< The cell under the pointer, in either scene.
  unsigned hoveredScene = 0;
  std::string hoverText;

  [[nodiscard]] gfx::Box boxOf(std::string_view view) const {
    const auto at = viewBoxes.find(view);
    return at == viewBoxes.end() ? gfx::Box{} : at->second;
  }
  /// The desk shows only the scene, the tunables, the speed and the code.
  [[nodiscard]] bool inLessonDensity() const {
    return !presenting && density == model::Density::lesson;
  }
  /// As requested by the user or by the open lesson.
  [[nodiscard]] bool showsOccupancyAlone() const { return occupancyAlone || occupancyServes; }
  [[nodiscard]] model::PlotKind shownPlot() const {
    return occupancyServes ? model::PlotKind::occupancy : plot;
  }
  /// The user's choice is kept, even at the open lesson's step.
  void toggleOccupancyAlone() {
    occupancyAlone = !showsOccupancyAlone();
    occupancyServes = false;
    card.ownPlot = true;
  }
  void goToNextPlot() {
    plot = nextPlot(shownPlot());
    occupancyServes = false;
    card.ownPlot = true;
  }
  [[nodiscard]] model::RoofFocus shownRoofFocus() const {
    return levelServes != model::RoofFocus::nearest ? levelServes : roofFocus;
  }
  void chooseRoofFocus(model::RoofFocus focus) {
    roofFocus = focus;
    levelServes = model::RoofFocus::nearest;
    card.ownLevel = true;
  }
  [[nodiscard]] bool showsAllLevels() const { return allLevelsServe || roofLevels; }
  void toggleAllLevels() {
    roofLevels = !showsAllLevels();
    allLevelsServe = false;
    card.ownAllLevels = true;
  }
  [[nodiscard]] bool isShown(Panel panel) const { return shown[static_cast<size_t>(panel)]; }
};

/// The arguments of a panel: everything that it draws, and the recipient of its requests.
struct Context {
  const model::Snapshot& snapshot;
  model::Session& session;
  UiState& ui;
  const gfx::Palette& palette;
  const Fonts& fonts;
  float em = 16;   ///< Height of the interface font, the unit of all measures.
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
