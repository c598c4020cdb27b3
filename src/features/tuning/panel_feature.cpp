// SPDX-License-Identifier: Apache-2.0

#include "features/tuning/view.h"
#include "ui/kit/feature_panel.h"

namespace tilestep::features::tuning {
namespace {

/// Changes the first tunable to its next legal value. If there is none, it takes the next value, so
/// that the reason is shown.
void changeFirst(model::Session& session, int by) {
  const auto snapshot = session.snapshot();
  if (!snapshot->view<TuningView>().legality || snapshot->view<TuningView>().legality->empty())
    return;
  const model::TunableLegality& legality = snapshot->view<TuningView>().legality->front();
  const auto now = snapshot->tunables.find(legality.tunable);
  if (now == snapshot->tunables.end()) return;
  session.apply(model::command("tuning.set", legality.tunable,
                               model::steppedFrom(legality, now->second, by)));
  session.endGesture();
}

class TuningPanel : public FeaturePanel {
 public:
  [[nodiscard]] std::vector<KeyHelp> keys() const override {
    return {{"[ , ]", "first tunable: the next legal value below, above"},
            {"F6", "the best tunables that are known for this device and size"},
            {"R", "pad the tiles by one column, where the kernel can"}};
  }
  bool takeText(char32_t text, model::Session& session, UiState& /*ui*/) const override {
    switch (text) {
      case U'[':
      case U']':
        changeFirst(session, text == U'[' ? -1 : 1);
        return true;
      case U'r':
      case U'R':
        session.apply(model::command("tuning.pad"));
        return true;
      default:
        return false;
    }
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<TuningPanel>();
}

}  // namespace tilestep::features::tuning
