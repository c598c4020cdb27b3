// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "features/names.h"
#include "ui/kit/feature_panel.h"

namespace tilestep::features {

/// The features' panels in the order of features.def, created by the first call.
[[nodiscard]] const ui::FeaturePanels& panels();

}  // namespace tilestep::features
