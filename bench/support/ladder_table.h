// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "support/ladder_record.h"

namespace tilestep::bench {

enum class TableStyle : uint8_t { text, markdown };

/// A table a size, and one of all sizes. Rungs of another precision stand apart, in words that say
/// so. Empty sizes are left out.
[[nodiscard]] std::string toTables(const LadderRecord& record, TableStyle style);

}  // namespace tilestep::bench
