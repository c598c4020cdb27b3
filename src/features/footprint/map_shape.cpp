// SPDX-License-Identifier: Apache-2.0
#include "features/footprint/map_shape.h"

#include <algorithm>

namespace tilestep::features {
namespace {

/// The columns that the block requests, extended to whole lines within their row.
void takeColumns(const OperandFootprint& operand, uint64_t aLine, MapShape& shape) {
  uint64_t first = operand.columns, last = 0;
  for (const AskedElement& element : operand.asked) {
    const uint64_t column = element.index % operand.columns;
    const uint64_t before = element.index % aLine, after = aLine - 1 - before;
    first = std::min(first, column - std::min(before, column));
    last = std::max(last, std::min(column + after, operand.columns - 1));
  }
  shape.firstColumn = first;
  shape.columns = last - first + 1;
}

/// Splits `count` elements from `index` on into parts of the map's rows, without parts outside.
std::vector<MapRectangle> partsOf(const MapShape& shape, uint64_t index, uint64_t count) {
  std::vector<MapRectangle> parts;
  while (count > 0) {
    const uint64_t row = index / shape.perRow, column = index % shape.perRow;
    const uint64_t here = std::min(count, shape.perRow - column);
    const uint64_t left = std::max(column, shape.firstColumn),
                   right = std::min(column + here, shape.firstColumn + shape.columns);
    if (row >= shape.firstRow && row < shape.firstRow + shape.rows && left < right)
      parts.push_back({row - shape.firstRow, left - shape.firstColumn, 1, right - left});
    index += here;
    count -= here;
  }
  return parts;
}

/// Adds a part of a row. Merges it with the previous part if the two touch.
void addPart(std::vector<MapRectangle>& all, const MapRectangle& part) {
  if (!all.empty() && all.back().row == part.row &&
      all.back().column + all.back().columns == part.column) {
    all.back().columns += part.columns;
    return;
  }
  all.push_back(part);
}

/// Merges equal parts of consecutive rows.
std::vector<MapRectangle> stacked(const std::vector<MapRectangle>& parts) {
  std::vector<MapRectangle> all;
  for (const MapRectangle& part : parts) {
    const auto above = std::ranges::find_if(all, [&](const MapRectangle& one) {
      return one.row + one.rows == part.row && one.column == part.column &&
             one.columns == part.columns;
    });
    above == all.end() ? all.push_back(part) : void(++above->rows);
  }
  return all;
}

}  // namespace

std::vector<MapRectangle> rectanglesOf(const MapShape& shape, uint32_t elementBytes,
                                       const std::vector<metrics::Sector>& sectors) {
  std::vector<MapRectangle> parts;
  for (const metrics::Sector& sector : sectors)
    for (const MapRectangle& part :
         partsOf(shape, sector.address / elementBytes, metrics::kSectorBytes / elementBytes))
      addPart(parts, part);
  return stacked(parts);
}

MapShape mapShapeOf(const OperandFootprint& operand) {
  MapShape shape;
  if (operand.asked.empty()) return shape;
  const uint64_t aLine = metrics::kLineBytes / operand.elementBytes;
  shape.perRow = shape.columns = aLine;
  if (operand.columns > 0) {
    shape.perRow = operand.columns;
    takeColumns(operand, aLine, shape);
  }
  shape.firstRow = operand.asked.front().index / shape.perRow;
  shape.rows = operand.asked.back().index / shape.perRow - shape.firstRow + 1;
  return shape;
}

const RowWarps* OperandMap::warpsOf(uint64_t row) const {
  const auto at = std::ranges::lower_bound(warps, row, {}, &RowWarps::row);
  return at != warps.end() && at->row == row ? &*at : nullptr;
}

OperandMap mapOf(const OperandFootprint& operand) {
  OperandMap map{mapShapeOf(operand), {}};
  for (const AskedElement& element : operand.asked) {
    const uint64_t row = element.index / map.shape.perRow - map.shape.firstRow;
    if (map.warps.empty() || map.warps.back().row != row)
      map.warps.push_back({row, element.warp, element.warp});
    RowWarps& warps = map.warps.back();
    warps.first = std::min(warps.first, element.warp);
    warps.last = std::max(warps.last, element.warp);
  }
  return map;
}

VisibleRange visibleRange(uint64_t all, uint64_t now, uint64_t room) {
  if (all <= room) return {0, all};
  const uint64_t first = now > room / 2 ? now - room / 2 : 0;
  return {std::min(first, all - room), room};
}

}  // namespace tilestep::features
