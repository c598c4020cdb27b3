// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/feature.h"

namespace tilestep::features {

/// One of each that features.def names, in its order.
[[nodiscard]] model::Features makeFeatures();

}  // namespace tilestep::features
