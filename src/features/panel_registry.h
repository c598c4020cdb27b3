// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/kit/feature_panel.h"

namespace tilestep::features {

/// What the features bring to the window, in the order of features.def: made at the first call, and
/// never changed.
[[nodiscard]] const ui::FeaturePanels& panels();

}  // namespace tilestep::features
