// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "features/names.h"
#include "model/export/table.h"

namespace tilestep::features {

/// A row for each request of the block to global memory.
[[nodiscard]] Table requestsTable(const Snapshot& now, const TableOptions& options);

}  // namespace tilestep::features
