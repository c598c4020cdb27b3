// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "features/names.h"
#include "model/export/table.h"

namespace tilestep::features {

/// The open program's calls and launches, in order.
[[nodiscard]] model::Table programTable(const model::Snapshot& now,
                                        const model::TableOptions& options);
/// The findings about it.
[[nodiscard]] model::Table findingsTable(const model::Snapshot& now,
                                         const model::TableOptions& options);

}  // namespace tilestep::features
