// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "model/choice/sweep_choice.h"

namespace tilestep::model {

enum class Theme : uint8_t { dark, light, highContrast };
inline constexpr size_t kThemes = 3;

/// Panels that can be folded away. `source` includes the step panel.
enum class Panel : uint8_t { controls, measures, source };
inline constexpr size_t kPanels = 3;

struct PanelWish {
  bool wanted = true;
  /// Incremented with every request for the panel; 0 if it was never requested.
  unsigned asked = 0;
  bool operator==(const PanelWish&) const = default;
};

inline constexpr float kLeastScale = 0.75F, kMostScale = 3;

/// The size and colours of the window, and which panels it shows.
struct Appearance {
  Theme theme = Theme::dark;
  /// The user's scale, multiplied by the display's scale; 0 if it follows the window's size.
  float scale = 1;
  std::array<PanelWish, kPanels> panels;  ///< Indexed by Panel.
  float controlsWidth = 0, measuresWidth = 0,
        sourceHeight = 0;  ///< Pixels at scale 1; 0 for automatic.
  bool operator==(const Appearance&) const = default;
};

/// The view in the middle of the window.
enum class Stage : uint8_t {
  scene,
  roofline,
  live,
  sweeps,
  timeline,
  runs,
  lanes,
  sums,
  sectors,
  exercises,
  cube,
  timing,
  program
};
inline constexpr size_t kStages = 13;
/// The keys of the first stages, in the order of Stage.
inline constexpr std::string_view kStageKeys = "567890";

/// The density of panels: `lesson` shows the scene, its sentence, the tunables, the speed and the
/// code; `full` shows everything.
enum class Density : uint8_t { lesson, full };

/// The plot that is shown beside the scene in presentation mode.
enum class PlotKind : uint8_t { speed, story, roofline, gains, traffic, history, occupancy };
inline constexpr size_t kPlots = 7;
/// The number of quantities against which occupancy is plotted: a tunable, the block size,
/// registers, and shared memory.
inline constexpr size_t kOccupancyCurves = 4;

/// The level that the roofline highlights: the one nearest to its roof, or a chosen level. Levels
/// are in the order of metrics::Level.
enum class RoofFocus : uint8_t { nearest, lanes, l1, l2, dram, shared };
inline constexpr size_t kRoofFocuses = 6;
inline constexpr std::array<const char*, kRoofFocuses> kRoofFocusNames{
    "nearest", "lanes", "l1", "l2", "dram", "shared"};

/// Settings of the panels, which are the same in and out of presentation mode.
struct ViewOptions {
  Stage stage = Stage::scene;
  Density density = Density::full;
  bool motion = true;
  bool companionSource = false;  ///< The source panel shows the companion's source.
  bool warpView = false;         ///< The step panel shows one warp against memory.
  /// The step panel shows the chosen thread; takes precedence over `warpView`.
  bool threadView = false;
  /// The step panel shows the PTX; takes precedence over `warpView` and `threadView`.
  bool ptxView = false;
  bool frontMatter = false;  ///< The source panel shows the leading comment unfolded.
  bool wholeGrid = false;    ///< The traffic table shows the whole grid.
  PlotKind plot = PlotKind::speed;
  bool occupancyAlone = false;  ///< Occupancy is the only panel among the measures.
  size_t occupancyCurve = 0;    ///< Below kOccupancyCurves.
  RoofFocus roofFocus = RoofFocus::nearest;
  bool roofLevels = false;  ///< The roofline shows every level instead of only the highlighted one.
  bool roofOthers = false;  ///< The roofline also shows other kernels and libraries.
  SweepChoice sweep;        ///< The plot of a sweep to show.
  bool operator==(const ViewOptions&) const = default;
};

/// The default for a lecture hall: large, high contrast, the scene and one plot.
[[nodiscard]] Appearance presentationLook();

[[nodiscard]] const char* nameOf(Theme theme);
[[nodiscard]] Theme nextTheme(Theme theme);
[[nodiscard]] const char* nameOf(Stage stage);
/// The id of the stage's view and of the table with the same content (model/export/table.h).
[[nodiscard]] std::string_view tableOf(Stage stage);
/// The stage whose view has this id; absent if there is none.
[[nodiscard]] std::optional<Stage> stageOfTable(std::string_view table);
/// The key that shows the stage; empty if there is none.
[[nodiscard]] std::string_view keyOf(Stage stage);
[[nodiscard]] const char* nameOf(PlotKind plot);
[[nodiscard]] PlotKind nextPlot(PlotKind plot);
[[nodiscard]] RoofFocus nextFocus(RoofFocus focus);

/// The appearance of the window, as opposed to its content. Undo covers it, and it is kept between
/// runs. Presentation mode has a separate appearance, so leaving it restores the desk's exactly.
struct AppearanceSet {
  Appearance desk, presentation = presentationLook();
  ViewOptions switches;
  bool operator==(const AppearanceSet&) const = default;
};

}  // namespace tilestep::model
