// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "features/names.h"
#include "metrics/coalescing.h"

namespace tilestep::features {

/// The bytes that a lane requests.
struct LaneBytes {
  uint32_t lane = 0;
  uint64_t offset = 0;  ///< Offset in the operand.
};

/// Lanes that request the same bytes.
struct LaneGroup {
  uint64_t offset = 0;          ///< Offset of the first byte, in the operand.
  std::vector<uint32_t> lanes;  ///< Ascending.
};

/// One line of 128 bytes that a request accesses.
struct MemoryLine {
  uint64_t number = 0;            ///< Index of the line in its operand.
  std::string name;               ///< The name of its first element: "M[2][0]".
  std::string lanes;              ///< All lanes that request bytes of it: "0 to 7".
  std::vector<LaneGroup> groups;  ///< By offset. The first may begin in the previous line.
  std::vector<uint64_t> sectors;  ///< The start offsets of the moved sectors, ascending.
};
/// Ascending, without names. An access that crosses a boundary belongs to two lines.
[[nodiscard]] std::vector<MemoryLine> memoryLinesOf(const std::vector<LaneBytes>& lanes,
                                                    uint64_t width,
                                                    const std::vector<metrics::Sector>& sectors);

/// "3", "0 to 7" or "0, 8, 16, 24". Of many lanes with gaps, only the first four are listed.
[[nodiscard]] std::string lanesText(const std::vector<uint32_t>& lanes);

}  // namespace tilestep::features
