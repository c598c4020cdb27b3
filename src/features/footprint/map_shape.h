// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "features/footprint/footprint.h"
#include "features/names.h"

namespace tilestep::features {

/// The part of an operand that the map shows. For a matrix, the rows and columns that the block
/// requests, extended to whole lines of 128 bytes; for an array, its lines one below another.
struct MapShape {
  uint64_t perRow = 32;  ///< Distance between the starts of two rows, in elements.
  uint64_t firstRow = 0, rows = 0;
  uint64_t firstColumn = 0, columns = 0;

  [[nodiscard]] uint64_t indexOf(uint64_t row, uint64_t column) const {
    return (firstRow + row) * perRow + firstColumn + column;
  }
};
/// Has no rows if the block requests no elements.
[[nodiscard]] MapShape mapShapeOf(const OperandFootprint& operand);

/// The first and the last warp that request elements of a row of the map.
struct RowWarps {
  uint64_t row = 0;
  uint32_t first = 0, last = 0;
  bool operator==(const RowWarps&) const = default;
};
/// The parts of an operand's map that are the same in all steps.
struct OperandMap {
  MapShape shape;
  std::vector<RowWarps> warps;  ///< Ascending by row; only rows with requested elements.

  /// Null if the block requests no element of that row.
  [[nodiscard]] const RowWarps* warpsOf(uint64_t row) const;
};
[[nodiscard]] OperandMap mapOf(const OperandFootprint& operand);

/// A rectangle on the map; rows and columns are relative to the map's first ones.
struct MapRectangle {
  uint64_t row = 0, column = 0, rows = 1, columns = 1;
  bool operator==(const MapRectangle&) const = default;
};
/// The sectors as rectangles on the map. Merges adjacent sectors of a row, and equal rectangles in
/// consecutive rows. Omits parts outside of the map. `sectors` ascend.
[[nodiscard]] std::vector<MapRectangle> rectanglesOf(const MapShape& shape, uint32_t elementBytes,
                                                     const std::vector<metrics::Sector>& sectors);

/// A range of `count` items from `first`, out of `all` items, with `now` near its middle.
struct VisibleRange {
  uint64_t first = 0, count = 0;
  [[nodiscard]] uint64_t end() const { return first + count; }
};
[[nodiscard]] VisibleRange visibleRange(uint64_t all, uint64_t now, uint64_t room);

}  // namespace tilestep::features
