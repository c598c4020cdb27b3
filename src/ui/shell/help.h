// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ui/kit/feature_panel.h"

namespace tilestep::ui {

/// All lines of the help: the keys for stepping and choosing, then the features' keys, then the
/// window's.
[[nodiscard]] std::vector<KeyHelp> allKeys();

}  // namespace tilestep::ui
