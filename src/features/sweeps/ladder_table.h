// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/export/table.h"

namespace tilestep::model {

/// The ladder explained, a row a rung, from the lowest up.
[[nodiscard]] Table ladderTable(const Snapshot& now);

}  // namespace tilestep::model
