// SPDX-License-Identifier: Apache-2.0
#include "features/scene/panel.h"
#include "ui/kit/feature_panel.h"

namespace tilestep::features::scene {
namespace {

class SceneParts : public FeaturePanel {
 public:
  [[nodiscard]] std::unique_ptr<ScenePart> makeScene(gfx::Renderer* renderer) const override {
    return std::make_unique<ScenePanel>(renderer);
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<SceneParts>();
}

}  // namespace tilestep::features::scene
