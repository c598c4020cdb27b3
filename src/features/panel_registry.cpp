// SPDX-License-Identifier: Apache-2.0
#include "features/panel_registry.h"

#include <map>

#include "features/names.h"

// Each folder with a panel defines this function.
#define TILESTEP_FEATURE(name)
#define TILESTEP_FEATURE_WITH_PANEL(name)    \
  namespace tilestep::features::name {       \
  std::unique_ptr<FeaturePanel> makePanel(); \
  }
#include "features/features.def"
#undef TILESTEP_FEATURE_WITH_PANEL

namespace tilestep::features {

const ui::FeaturePanels& panels() {
  static const FeaturePanels all = [] {
    FeaturePanels made;
#define TILESTEP_FEATURE_WITH_PANEL(name) made.push_back(name::makePanel());
#include "features/features.def"
    return made;
  }();
  return all;
}

}  // namespace tilestep::features

namespace tilestep::ui {
namespace {

/// The first non-empty result of `make` over all features; empty or null if there is none.
template <class Make>
auto firstOf(Make make) {
  for (const std::unique_ptr<FeaturePanel>& feature : features::panels())
    if (auto made = make(*feature)) return made;
  return decltype(make(*features::panels().front()))();
}

}  // namespace

PartDrawer partOf(Part part) {
  for (const std::unique_ptr<FeaturePanel>& feature : features::panels())
    for (auto& [drawn, drawer] : feature->parts())
      if (drawn == part) return drawer;
  return [](const Context&) {};
}

void drawPart(Part part, const Context& context) {
  static const std::map<Part, PartDrawer> drawers = [] {
    std::map<Part, PartDrawer> all;
    for (const std::unique_ptr<FeaturePanel>& feature : features::panels())
      for (auto& [drawn, drawer] : feature->parts()) all.emplace(drawn, drawer);
    return all;
  }();
  if (const auto drawer = drawers.find(part); drawer != drawers.end()) drawer->second(context);
}

std::unique_ptr<ScenePart> makeScene(gfx::Renderer* renderer) {
  return firstOf([&](const FeaturePanel& feature) { return feature.makeScene(renderer); });
}

std::unique_ptr<StepScript> makeLessonScript() {
  return firstOf([](const FeaturePanel& feature) { return feature.makeScript(); });
}

std::string reportOf(const model::Snapshot& now, std::vector<std::byte> png,
                     const std::string& when) {
  for (const std::unique_ptr<FeaturePanel>& feature : features::panels())
    if (std::string html = feature->report(now, png, when); !html.empty()) return html;
  return {};
}

void describeStep(const model::Snapshot& now, const UiState& ui, model::PageStep& step) {
  for (const std::unique_ptr<FeaturePanel>& feature : features::panels())
    feature->describe(now, ui, step);
}

}  // namespace tilestep::ui
