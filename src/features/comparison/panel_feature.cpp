// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "compile/front_matter/front_matter.h"
#include "compile/front_matter/tunable_values.h"
#include "features/comparison/view.h"
#include "ui/kit/feature_panel.h"

namespace tilestep::features::comparison {
namespace {

using namespace ui;
using nlohmann::json;

void changeFirstComparisonTunable(model::Session& session, int64_t by) {
  const auto snapshot = session.snapshot();
  if (!snapshot->view<model::ComparisonView>().entry) return;
  const auto& spec = (*snapshot->catalogue)[*snapshot->view<model::ComparisonView>().entry].spec;
  if (!spec || spec->tunables.empty()) return;
  const compile::TunableSpec& tunable = spec->tunables.front();
  const auto now = snapshot->view<model::ComparisonView>().tunables.find(tunable.name);
  if (now == snapshot->view<model::ComparisonView>().tunables.end()) return;
  session.apply(model::command("comparison.set", tunable.name,
                               compile::steppedValue(tunable, now->second, by)));
  session.endGesture();
}

json stateOf(const model::Snapshot& now) {
  const model::ComparisonView& view = now.view<model::ComparisonView>();
  json tree = {{"chosen", now.choice.comparison.kernel},
               {"kernel", nullptr},
               {"tunables", view.tunables},
               {"follows", view.follows},
               {"own_block", view.ownBlock},
               {"trouble", view.trouble},
               {"together", view.together},
               {"kernels", view.kernels}};
  if (view.entry) tree["kernel"] = compile::nameOf((*now.catalogue)[*view.entry].source);
  return tree;
}

class ComparisonPanel : public FeaturePanel {
 public:
  [[nodiscard]] std::vector<KeyHelp> keys() const override {
    return {{"A, Shift+A", "compare with the next kernel, with the one before, or with none"},
            {"{ , }", "first tunable of the compared kernel down, up"},
            {"H", "swap the kernel and the compared one"}};
  }
  bool takeText(char32_t text, model::Session& session, UiState& /*ui*/) const override {
    switch (text) {
      case U'a':
      case U'A':
        session.apply(model::command("comparison.next", text == U'a'));
        return true;
      case U'h':
      case U'H':
        session.apply(model::command("comparison.swap"));
        return true;
      case U'{':
      case U'}':
        changeFirstComparisonTunable(session, text == U'{' ? -1 : 1);
        return true;
      default:
        return false;
    }
  }
  void addState(const model::Snapshot& now, const UiState& /*ui*/, json& to) const override {
    to["beside"] = stateOf(now);
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<ComparisonPanel>();
}

}  // namespace tilestep::features::comparison
