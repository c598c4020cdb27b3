// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "features/tuning/legality.h"
#include "model/view.h"

namespace tilestep::model {

/// The best tunables that are known for the chosen kernel, device and measured sizes.
struct BestTunables {
  bool known = false;
  bool taken = false;  ///< They are chosen.
  compile::Bindings tunables;
  std::string text;  ///< Where they come from, or how to find them.
};

struct TuningView : View {
  static constexpr std::string_view kFeature = "tuning";
  /// By tunable; null where the kernel cannot be read.
  std::shared_ptr<const std::vector<TunableLegality>> legality;
  std::string resources;  ///< What a block takes of the device's limits; empty: it is not legal.
  BestTunables best;
};

}  // namespace tilestep::model
