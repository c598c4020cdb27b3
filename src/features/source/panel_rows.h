// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "features/names.h"

namespace tilestep::features {

/// The number of rows above a line if `first` lines are folded and each line with isNoted(line) has
/// an additional row for its note. A line beyond the end counts as just after the last line.
template <class IsNoted>
[[nodiscard]] size_t rowsAbove(uint32_t line, size_t first, size_t lines, IsNoted isNoted) {
  const size_t end = std::min<size_t>(line, lines + 1);
  size_t rows = end > first ? end - 1 - first : 0;
  for (size_t i = first; i + 1 < end; ++i) rows += isNoted(static_cast<uint32_t>(i + 1)) ? 1 : 0;
  return rows;
}

}  // namespace tilestep::features
