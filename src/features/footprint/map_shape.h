// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "features/footprint/footprint.h"
#include "features/names.h"

namespace tilestep::features {

/// The part of an operand that the map shows, as rows and columns of elements: of a matrix the rows
/// and columns that the block asks for, extended to whole lines of 128 bytes; of an array its
/// lines, one below the other.
struct MapShape {
  uint64_t perRow = 32;  ///< Elements from one row to the next.
  uint64_t firstRow = 0, rows = 0;
  uint64_t firstColumn = 0, columns = 0;

  [[nodiscard]] uint64_t indexOf(uint64_t row, uint64_t column) const {
    return (firstRow + row) * perRow + firstColumn + column;
  }
};
/// No rows where nothing is asked for.
[[nodiscard]] MapShape mapShapeOf(const OperandFootprint& operand);

/// The warps that ask for elements of a row of the map: from the first to the last number.
struct RowWarps {
  uint64_t row = 0;
  uint32_t first = 0, last = 0;
  bool operator==(const RowWarps&) const = default;
};
/// The parts of an operand's map that are the same in all steps.
struct OperandMap {
  MapShape shape;
  std::vector<RowWarps> warps;  ///< Ascending by row; only rows of which something is asked for.

  /// Null where nothing of that row is asked for.
  [[nodiscard]] const RowWarps* warpsOf(uint64_t row) const;
};
[[nodiscard]] OperandMap mapOf(const OperandFootprint& operand);

/// Rows and columns of the map, counted from its first ones.
struct MapRectangle {
  uint64_t row = 0, column = 0, rows = 1, columns = 1;
  bool operator==(const MapRectangle&) const = default;
};
/// The sectors on the map. Sectors that follow each other in a row are one rectangle, and so
/// are equal ones in rows that follow each other. What lies outside of the map is left out.
/// `sectors` ascend.
[[nodiscard]] std::vector<MapRectangle> rectanglesOf(const MapShape& shape, uint32_t elementBytes,
                                                     const std::vector<metrics::Sector>& sectors);

/// `count` of `all` things from `first`, with `now` among them and near their middle.
struct VisibleRange {
  uint64_t first = 0, count = 0;
  [[nodiscard]] uint64_t end() const { return first + count; }
};
[[nodiscard]] VisibleRange visibleRange(uint64_t all, uint64_t now, uint64_t room);

}  // namespace tilestep::features
