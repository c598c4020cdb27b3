// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "model/choice/sweep_choice.h"

namespace tilestep::model {

enum class Theme : uint8_t { dark, light, highContrast };
inline constexpr size_t kThemes = 3;

/// Panels that can be folded away. `source` takes the step's own view with it.
enum class Panel : uint8_t { controls, measures, source };
inline constexpr size_t kPanels = 3;

struct PanelWish {
  bool wanted = true;
  unsigned asked = 0;  ///< Grows with every time somebody asked for it; 0: never.
  bool operator==(const PanelWish&) const = default;
};

inline constexpr float kLeastScale = 0.75F, kMostScale = 3;

/// How large and how coloured the window is, and what has a place in it.
struct Appearance {
  Theme theme = Theme::dark;
  float scale = 1;  ///< The person's own, on top of the display's; 0: chosen by the window's size.
  std::array<PanelWish, kPanels> panels;  ///< By Panel.
  float controlsWidth = 0, measuresWidth = 0,
        sourceHeight = 0;  ///< Pixels at scale 1; 0: automatic.
  bool operator==(const Appearance&) const = default;
};

/// What stands in the middle of the window.
enum class Stage : uint8_t { scene, roofline, live, sweeps, timeline, runs };
inline constexpr size_t kStages = 6;

/// What stands alone beside the scene while presenting.
enum class Plot : uint8_t { story, roofline, gains, traffic, history, occupancy };
inline constexpr size_t kPlots = 6;
/// What occupancy is plotted over: a tunable, block size, registers, shared memory.
inline constexpr size_t kOccupancyCurves = 4;

/// Which level the roofline brings out: the one that is nearest to its roof, or a chosen one, in
/// the order of metrics::Level.
enum class RoofFocus : uint8_t { nearest, lanes, l1, l2, dram, shared };
inline constexpr size_t kRoofFocuses = 6;

/// Switches inside panels; the same whether presenting or not.
struct ViewOptions {
  Stage stage = Stage::scene;
  bool motion = true;
  bool companionSource = false;  ///< The source panel shows the companion's.
  bool warpView = false;         ///< The step panel shows one warp against memory.
  bool threadView = false;       ///< The step panel shows the chosen thread; before `warpView`.
  bool ptxView = false;          ///< The step panel shows the PTX; before all others.
  bool frontMatter = false;      ///< The source panel unfolds the first comment.
  bool wholeGrid = false;        ///< The traffic table shows the whole grid.
  Plot plot = Plot::story;
  bool occupancyAlone = false;  ///< Occupancy stands alone among the measures.
  size_t occupancyCurve = 0;    ///< Below kOccupancyCurves.
  RoofFocus roofFocus = RoofFocus::nearest;
  SweepChoice sweep;  ///< Which picture of a sweep.
  bool operator==(const ViewOptions&) const = default;
};

/// The lecture hall's: large, of high contrast, the scene and one plot.
[[nodiscard]] Appearance presentationLook();

[[nodiscard]] const char* nameOf(Theme theme);
[[nodiscard]] Theme nextTheme(Theme theme);
/// "sweeps"
[[nodiscard]] const char* nameOf(Stage stage);
[[nodiscard]] const char* nameOf(Plot plot);
[[nodiscard]] Plot nextPlot(Plot plot);
[[nodiscard]] RoofFocus nextFocus(RoofFocus focus);

/// How the window looks, not what it shows; can be undone and is kept between runs. Presenting
/// changes nothing of the desk's look, so the same key gives all of it back.
struct AppearanceSet {
  Appearance desk, presentation = presentationLook();
  ViewOptions switches;
  bool operator==(const AppearanceSet&) const = default;
};

}  // namespace tilestep::model
