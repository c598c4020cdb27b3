// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "features/names.h"
#include "model/export/table.h"

namespace tilestep::features {

/// A row for each call and launch of the open program, in order.
[[nodiscard]] model::Table programTable(const model::Snapshot& now,
                                        const model::TableOptions& options);
/// A row for each finding of the open program.
[[nodiscard]] model::Table findingsTable(const model::Snapshot& now,
                                         const model::TableOptions& options);

}  // namespace tilestep::features
