// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>

#include "features/names.h"
#include "features/warps/warp_view.h"
#include "model/view.h"

namespace tilestep::features {

/// A warp instruction of the step, and the sectors or banks that it accesses; null if none.
struct WarpsView : View {
  static constexpr std::string_view kFeature = "warps";
  std::shared_ptr<const WarpView> main, companion;
};

}  // namespace tilestep::features
