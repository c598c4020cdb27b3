// SPDX-License-Identifier: Apache-2.0
#include "features/registry.h"

// Each folder defines this function.
#define TILESTEP_FEATURE(name)                      \
  namespace tilestep::features::name {              \
  std::unique_ptr<tilestep::model::Feature> make(); \
  }
#define TILESTEP_FEATURE_WITH_PANEL(name) TILESTEP_FEATURE(name)
#include "features/features.def"
#undef TILESTEP_FEATURE

namespace tilestep::features {

model::Features makeFeatures() {
  model::Features features;
#define TILESTEP_FEATURE(name) features.push_back(name::make());
#include "features/features.def"
  return features;
}

}  // namespace tilestep::features
