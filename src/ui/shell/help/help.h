// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ui/kit/feature_panel.h"

namespace tilestep::ui {

/// All help entries, grouped: those of the window and those of the features.
[[nodiscard]] std::vector<KeyHelp> allKeys();

}  // namespace tilestep::ui
