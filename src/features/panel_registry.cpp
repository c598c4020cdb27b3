// SPDX-License-Identifier: Apache-2.0
#include "features/panel_registry.h"

// Each folder with a panel defines it with this function.
#define TILESTEP_FEATURE(name)
#define TILESTEP_FEATURE_WITH_PANEL(name)    \
  namespace tilestep::features::name {       \
  std::unique_ptr<FeaturePanel> makePanel(); \
  }
#include "features/features.def"
#undef TILESTEP_FEATURE_WITH_PANEL

namespace tilestep::features {

const FeaturePanels& panels() {
  static const FeaturePanels all = [] {
    FeaturePanels made;
#define TILESTEP_FEATURE_WITH_PANEL(name) made.push_back(name::makePanel());
#include "features/features.def"
    return made;
  }();
  return all;
}

}  // namespace tilestep::features
