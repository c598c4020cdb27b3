// SPDX-License-Identifier: Apache-2.0
#include "model/choice/appearance.h"

#include <algorithm>

namespace tilestep::model {

const char* nameOf(Theme theme) {
  constexpr std::array<const char*, kThemes> kNames{"dark", "light", "high contrast"};
  return kNames[static_cast<size_t>(theme)];
}

const char* nameOf(Stage stage) {
  constexpr std::array<const char*, kStages> kNames{
      "scene", "roofline", "live",      "sweeps", "timeline", "runs",   "lanes",
      "sums",  "sectors",  "exercises", "cube",   "timing",   "program"};
  return kNames[static_cast<size_t>(stage)];
}

std::string_view tableOf(Stage stage) {
  if (stage == Stage::sweeps) return "sweep";
  if (stage == Stage::exercises) return "exercise";
  return nameOf(stage);
}

std::optional<Stage> stageOfTable(std::string_view table) {
  for (size_t i = 0; i < kStages; ++i)
    if (tableOf(static_cast<Stage>(i)) == table) return static_cast<Stage>(i);
  return std::nullopt;
}

std::string_view keyOf(Stage stage) {
  return kStageKeys.substr(std::min(static_cast<size_t>(stage), kStageKeys.size()), 1);
}

const char* nameOf(PlotKind plot) {
  constexpr std::array<const char*, kPlots> kNames{
      "Speed",   "Loads by phase",        "Roofline", "What tiling changes",
      "Traffic", "Over the last changes", "Occupancy"};
  return kNames[static_cast<size_t>(plot)];
}

Theme nextTheme(Theme theme) {
  return static_cast<Theme>((static_cast<size_t>(theme) + 1) % kThemes);
}

PlotKind nextPlot(PlotKind plot) {
  return static_cast<PlotKind>((static_cast<size_t>(plot) + 1) % kPlots);
}

RoofFocus nextFocus(RoofFocus focus) {
  return static_cast<RoofFocus>((static_cast<size_t>(focus) + 1) % kRoofFocuses);
}

Appearance presentationLook() {
  Appearance look;
  look.theme = Theme::highContrast;
  look.scale = 0;
  look.panels[static_cast<size_t>(Panel::controls)].wanted = false;
  look.panels[static_cast<size_t>(Panel::source)].wanted = false;
  return look;
}

}  // namespace tilestep::model
