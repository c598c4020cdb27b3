// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/export/table.h"

namespace tilestep::model {

/// The sweep's picture, a row a point; the ladder's table where that is shown.
[[nodiscard]] Table sweepTable(const Snapshot& now);

}  // namespace tilestep::model
