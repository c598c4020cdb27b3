// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "features/names.h"
#include "model/export/table.h"

namespace tilestep::features {

/// The explained ladder, one row per rung, lowest rung first.
[[nodiscard]] Table ladderTable(const Snapshot& now);

}  // namespace tilestep::features
