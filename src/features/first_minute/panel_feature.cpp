// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "features/first_minute/view.h"
#include "ui/kit/feature_panel.h"

namespace tilestep::features::first_minute {
namespace {

using namespace ui;
using nlohmann::json;

class FirstMinutePanel : public FeaturePanel {
 public:
  void addState(const model::Snapshot& now, const UiState& /*ui*/, json& to) const override {
    const auto& view = now.view<model::FirstMinuteView>();
    to["first_minute"] = nullptr;
    if (!view.shown) return;
    to["first_minute"] = {{"step", static_cast<size_t>(view.part) + 1},
                          {"steps", model::kMinuteParts},
                          {"text", view.text},
                          {"covers", view.covers},
                          {"choices", view.choices}};
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<FirstMinutePanel>();
}

}  // namespace tilestep::features::first_minute
