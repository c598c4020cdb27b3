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
  uint64_t offset = 0;  ///< In the operand.
};

/// Lanes that request the same bytes.
struct LaneGroup {
  uint64_t offset = 0;          ///< Offset of the first byte, in the operand.
  std::vector<uint32_t> lanes;  ///< Ascending.
};

/// One line of 128 bytes that a request accesses.
struct MemoryLine {
  uint64_t number = 0;            ///< In its operand.
  std::string name;               ///< "M[2][0]": its first element.
  std::string lanes;              ///< "0 to 7": all lanes that request bytes of it.
  std::vector<LaneGroup> groups;  ///< Ascending by offset; one may begin in the previous line.
  std::vector<uint64_t> sectors;  ///< The start offsets of the sectors that move, ascending.
};
/// Ascending, without names. An access that crosses into the next line is in both.
[[nodiscard]] std::vector<MemoryLine> memoryLinesOf(const std::vector<LaneBytes>& lanes,
                                                    uint64_t width,
                                                    const std::vector<metrics::Sector>& sectors);

/// "3", "0 to 7", "0, 8, 16, 24"; of many lanes that are not consecutive, only the first four are
/// listed. There is at least one.
[[nodiscard]] std::string lanesText(const std::vector<uint32_t>& lanes);

}  // namespace tilestep::features
