// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "features/barriers/barriers.h"
#include "features/names.h"
#include "model/view.h"

namespace tilestep::features {

/// The hazards that the main kernel's barriers prevent, and the races in the scene.
struct BarriersView : View {
  static constexpr std::string_view kFeature = "barriers";
  /// Roles of all barriers, including a removed one; never null.
  std::shared_ptr<const std::vector<BarrierRole>> roles;
  std::shared_ptr<const RaceView> race;  ///< Null if nothing races and no barrier was removed.
};

}  // namespace tilestep::features
