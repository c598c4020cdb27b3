// SPDX-License-Identifier: Apache-2.0
#include "features/panel_registry.h"

// Each folder with a section gives it by this function.
#define TILESTEP_FEATURE(name)
#define TILESTEP_FEATURE_WITH_SECTION(name)             \
  namespace tilestep::features::name {                  \
  std::unique_ptr<tilestep::ui::Section> makeSection(); \
  }
#include "features/features.def"
#undef TILESTEP_FEATURE_WITH_SECTION

namespace tilestep::features {

ui::Sections makeSections() {
  ui::Sections sections;
#define TILESTEP_FEATURE_WITH_SECTION(name) sections.push_back(name::makeSection());
#include "features/features.def"
  return sections;
}

}  // namespace tilestep::features
