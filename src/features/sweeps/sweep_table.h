// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "features/names.h"
#include "model/export/table.h"

namespace tilestep::features {

/// The sweep as a table, one row per point; or the ladder's table if that is shown.
[[nodiscard]] Table sweepTable(const Snapshot& now);

}  // namespace tilestep::features
