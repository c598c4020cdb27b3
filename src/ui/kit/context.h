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
  /// True if the user moved the camera. Otherwise the camera fits the scenes into the window.
  bool cameraMoved = false;
};

/// The dialogue that copies or saves a view (ui/shell/saving/save_dialog.h).
struct SaveDialog {
  bool open = false, opened = false;  ///< `opened` only in the frame in which it opens.
  std::string view = "traffic";       ///< The id of a table (model/export/table.h).
  std::string front;                  ///< The view on screen, which comes first.
  /// The kind of file, which the path's ending does not always determine.
  SaveAs as = SaveAs::png;
  bool print = false;  ///< Uses print colours.
  std::string path;
  bool typed = false;  ///< The user typed the path.
  /// How often the program replaced the path. The text field must notice this, because it keeps its
  /// own text while it is edited.
  int renamed = 0;
  std::string asked;  ///< The path for which the user was asked to confirm overwriting.
  std::string trouble;
  bool tall = false;   ///< The dialogue is higher than the window, so it scrolls.
  bool moved = false;  ///< A key has chosen another view, which must be scrolled into view.
  float below = 0;     ///< The height of everything below the list of views, in the last frame.
};

/// The dialogue that opens a program or a kernel's file (ui/shell/open_dialog.h).
struct OpenDialog {
  bool open = false, opened = false;   ///< `opened` only in the frame in which it opens.
  std::string folder;                  ///< The folder whose files are listed.
  bool wished = false;                 ///< Open it in the next frame.
  std::vector<std::string> entries;    ///< Entries of the folder; names of folders end in "/".
  std::string path;                    ///< As typed.
  int at = 0;                          ///< The marked entry.
  bool moved = false, chosen = false;  ///< A key moved the mark, or chose an entry.
  bool isFresh = false;                ///< The path field is about to get the keyboard.
  std::string trouble;
};

/// The command palette (ui/shell/palette.h).
struct PaletteState {
  bool open = false, opened = false;  ///< `opened` only in the frame in which it opens.
  std::string typed;
  int at = 0;           ///< The index of the marked item among those that match.
  bool moved = false;   ///< A key moved the mark.
  bool chosen = false;  ///< Enter was pressed.
};

/// The glossary (ui/shell/help/glossary.h).
struct GlossaryState {
  bool open = false;
  std::string_view term{};  ///< The name of the marked term (model::Term); empty if there is none.
  int scrolls = 0;          ///< The number of further frames that scroll to the term.
};
/// The list of learning material, and the course plan (features/course).
struct CourseState {
  bool open = false;
  bool isFresh = false;                  ///< It was opened since the last frame.
  bool plan = false;                     ///< Shows the plan for teachers instead of the list.
  std::map<std::string, ImVec2> rows{};  ///< The position of each entry in the last frame.
  float scroll = 0;                      ///< Number of lines to scroll in the next frame.

  void openList() { *this = {.open = true, .isFresh = true}; }
};
/// How many frames scroll to a term: more than one, because the first frame only measures the rows.
inline constexpr int kGlossaryFrames = 3;

/// State of the card that shows the open lesson's step or a lab's prediction. Heights are in
/// pixels.
struct LessonCard {
  /// The height of the card's essential part: an open question with its choices, or the beginning
  /// of an answer. 0 if it has no such part.
  float least = 0;
  float text = 0;      ///< The height of the scrolling part in the last frame.
  float question = 0;  ///< The height of the open question below that part, in the last frame.
  float rest = 0;      ///< The height of the text below the edge.
  int pages = 0;       ///< Pages to scroll down in the next frame.
  int toTop = 0, toAnswer = 0;  ///< Further frames that scroll to the top, or to the answer.
  bool wasOpen = false;         ///< The question was open in the last frame.
  bool folded = false;          ///< Only its head is shown.
  bool ownPlot = false;         ///< The user has chosen a different plot than the step.
  bool ownLevel = false;        ///< The user has chosen the level that the roofline highlights.
  bool ownAllLevels = false;    ///< The user has chosen whether the roofline shows every level.
};

/// A notice that is shown over the scene for a while.
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

/// State that features keep between frames: one value per type.
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

/// For how many frames an answer field that should get the keyboard keeps requesting it. The field
/// stops as soon as it has the keyboard.
inline constexpr int kAnswerFrames = 3;

/// The window's state. Appearance and ViewOptions hold the settings in use: those of the desk or
/// those of the presentation (ui/shell/appearances.h).
struct UiState : model::Appearance, model::ViewOptions, CameraState {
  bool presenting = false;
  /// Draws for a saved file, such as a page, without widgets that change anything.
  bool readOnly = false;
  /// The settings not in use: the desk's while presenting, and the presentation's at the desk.
  model::Appearance otherLook = model::presentationLook();
  CameraState otherCamera;
  unsigned looksTakenBack = 0;  ///< The last seen value of Session::looksTakenBack().
  float shownScale = 1;         ///< The scale of the fonts in use.
  /// Indexed by Panel: whether the panel was shown in the last frame. Even a requested panel is
  /// hidden if there is no space for it.
  std::array<bool, kPanels> shown{true, true, true};
  bool help = false;
  float helpScroll = 0;      ///< Number of lines to scroll in the next frame.
  bool menuWished = false;   ///< Open the menu in the next frame.
  bool popupOpen = false;    ///< A menu or a list was open in the last frame.
  bool blockWished = false;  ///< Zoom to the chosen block in the next frame.
  bool goToWished = false;   ///< Open the field for a step's number in the next frame.
  /// The line of the main kernel's source whose steps the N key visits; 0 if none.
  uint32_t lineChosen = 0;
  /// The line hovered in source or PTX in the last frame, which is marked in both.
  uint32_t lineHovered = 0;
  uint32_t lineUnder = 0;         ///< The line hovered in this frame.
  uint32_t lineWanted = 0;        ///< The line to scroll to in the next frame; 0 if none.
  bool withoutTransport = false;  ///< The bar for steps and playing is hidden.
  /// An exercise is open: its listing is visible while the stage shows the exercise.
  bool exerciseOpen = false;
  float lessonHeight = 0;  ///< The height that the lesson's step requests; 0 if no lesson is open.
  LessonCard card;
  /// Whether the open question covers the stage and the panel beside the source, so that the
  /// kernel's source takes their place.
  bool stageCovered = false, stepCovered = false;
  bool measuresCovered = false;  ///< The plots and the slider are covered as well.
  bool predicting = false;       ///< A lab waits for its prediction, and nothing else is shown.
  /// Height of the slider in a lesson's column, in the last frame.
  float lessonControlsHeight = 0;
  bool panelServes = false;   ///< The open lesson's step shows a panel beside the source.
  bool sourceServes = false;  ///< The open lesson's step shows the source.
  bool plotServes = true;     ///< The presentation's plot is relevant to the open lesson's step.
  /// The open lesson's step is about occupancy, and the user has not chosen another plot since.
  bool occupancyServes = false;
  /// The level that the roofline highlights for the open lesson's step; `nearest` if none.
  model::RoofFocus levelServes = model::RoofFocus::nearest;
  bool allLevelsServe = false;  ///< The roofline shows every level for the open lesson's step.
  std::string lessonAnswer;     ///< As typed.
  std::shared_ptr<const void> lessonShown;  ///< The lesson, to detect a new step.
  size_t lessonStep = 0;

  PlotKeys plotKeys;  ///< Keyboard requests for the plot on the stage.
  LivePlots live;

  bool noticesSeen = false;  ///< All notices are visible among the controls in this frame.
  bool helpTall = false;     ///< The help is higher than the window, so it scrolls.
  bool typing = false;       ///< A text field had the keyboard in the last frame, and keeps it.
  /// A text field of the last frame will get the keyboard soon, so typed letters are not commands.
  bool typingSoon = false;
  bool walking = false;  ///< Keyboard navigation is active, and the focused control is marked.
  /// The last click was on read-only code, so letters typed after it are not commands.
  bool codeClicked = false;
  /// Number of frames for which the lesson's answer field still requests the keyboard.
  int answerWished = 0;
  /// The lesson's choice that is selected by keyboard; absent if none.
  std::optional<size_t> choiceAt;

  PlotView roofPlot;       ///< State of the large roofline.
  uint64_t runChosen = 0;  ///< The id of a pinned run; 0 if none, so the newest is used.
  std::optional<SaveWish> wish;
  PaletteState palette;
  GlossaryState glossary;
  CourseState course;
  PageProgress pageProgress;
  SaveDialog save;
  OpenDialog openDialog;
  bool codeTyping = false;    ///< The code editor has the keyboard, so Tab goes to the editor.
  bool searchWished = false;  ///< The field that searches a program's text should get the keyboard.
  /// The user's program is open, so the scene offers a way back to it.
  bool isProgramOpen = false;
  uint64_t programOpenings = 0;  ///< The last seen value of ProgramView::openings.
  Looks looks;
  CubeTurn cube;
  Toast toast;
  /// The position of each view in the last frame, by the id of its table; absent if not on screen.
  std::map<std::string, gfx::Box, std::less<>> viewBoxes;
  std::optional<size_t> sweepAt;  ///< The cell of the sweep's plot that is selected by keyboard.
  bool sweepMoved = false;        ///< A key moved `sweepAt`, so the plot must scroll to it.
  gfx::Place hovered;             ///< The cell under the pointer, in either scene.
  unsigned hoveredScene = 0;
  std::string hoverText;

  [[nodiscard]] gfx::Box boxOf(std::string_view view) const {
    const auto at = viewBoxes.find(view);
    return at == viewBoxes.end() ? gfx::Box{} : at->second;
  }
  /// Whether the desk shows only the scene, the tunables, the speed and the code.
  [[nodiscard]] bool inLessonDensity() const {
    return !presenting && density == model::Density::lesson;
  }
  /// As requested by the user or by the open lesson.
  [[nodiscard]] bool showsOccupancyAlone() const { return occupancyAlone || occupancyServes; }
  [[nodiscard]] model::PlotKind shownPlot() const {
    return occupancyServes ? model::PlotKind::occupancy : plot;
  }
  /// The user's choice takes precedence over the open lesson's step.
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

/// A panel's arguments: everything that it draws, and the session that receives its commands.
struct Context {
  const model::Snapshot& snapshot;
  model::Session& session;
  UiState& ui;
  const gfx::Palette& palette;
  const Fonts& fonts;
  float em = 16;   ///< Height of the interface font, the unit of all lengths.
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
