// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "features/names.h"
#include "model/feature.h"

namespace tilestep::features {

/// One instance of each feature in features.def, in its order.
[[nodiscard]] model::Features makeFeatures();

}  // namespace tilestep::features
