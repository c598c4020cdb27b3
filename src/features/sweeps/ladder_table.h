// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/export/table.h"

namespace tilestep::model {

/// The explained ladder, one row per rung, lowest rung first.
[[nodiscard]] Table ladderTable(const Snapshot& now);

}  // namespace tilestep::model
