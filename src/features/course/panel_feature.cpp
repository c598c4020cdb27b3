// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "ui/kit/feature_panel.h"

namespace tilestep::features::course {
namespace {

using namespace ui;

class CoursePanel : public FeaturePanel {
 public:
  void addState(const model::Snapshot& /*now*/, const UiState& ui,
                nlohmann::json& to) const override {
    if (!ui.course.open) return;
    nlohmann::json& rows = to["learn"] = nlohmann::json::object();
    for (const auto& [name, at] : ui.course.rows) rows[name] = {at.x, at.y};
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<CoursePanel>();
}

}  // namespace tilestep::features::course
