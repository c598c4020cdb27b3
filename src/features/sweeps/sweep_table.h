// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "features/names.h"
#include "model/export/table.h"

namespace tilestep::features {

/// The shown sweep, one row per point; for the ladder, one explained row per rung.
[[nodiscard]] Table sweepTable(const Snapshot& now);

}  // namespace tilestep::features
