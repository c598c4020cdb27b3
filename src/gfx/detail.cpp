// SPDX-License-Identifier: Apache-2.0
#include "gfx/detail.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "base/dim3.h"

namespace tilestep::gfx {
namespace {

struct Span {
  uint32_t first = 0, count = 0;
};

/// Extends the range of cells [first, end) to whole squares of `factor`.
Span squares(uint32_t first, uint32_t end, uint32_t factor) {
  const uint32_t from = first / factor * factor;
  return {from, uint32_t(ceilDiv(end - from, factor)) * factor};
}

DetailRequest requestOf(uint32_t top, uint32_t bottom, uint32_t left, uint32_t right,
                        uint32_t factor) {
  const Span r = squares(top, bottom, factor), c = squares(left, right, factor);
  return {{r.first, c.first, r.count, c.count}, factor};
}

/// The range of visible cells along one axis: [first, end).
std::optional<std::pair<uint32_t, uint32_t>> inView(float start, float cell, uint32_t count,
                                                    float extent) {
  const float first = std::floor(-start / cell), end = std::ceil((extent - start) / cell);
  const auto from = uint32_t(std::clamp(first, 0.0F, float(count)));
  const auto to = uint32_t(std::clamp(end, 0.0F, float(count)));
  if (from >= to) return std::nullopt;
  return std::pair(from, to);
}

}  // namespace

DetailRequest overviewOf(uint32_t rows, uint32_t columns, uint32_t side) {
  const auto least = uint32_t(ceilDiv(std::max(rows, columns), std::max(side, 1U)));
  return requestOf(0, rows, 0, columns, std::bit_ceil(std::max(least, 1U)));
}

std::optional<DetailRequest> seenOf(const Grid& grid, uint32_t rows, uint32_t columns,
                                    const Camera& camera, float width, float height,
                                    float pixelsPerUnit) {
  const Box box = camera.toScreen(grid.box);
  const float cell = grid.cell * camera.zoom();
  if (cell <= 0 || width <= 0 || height <= 0) return std::nullopt;
  const auto r = inView(box.y, cell, rows, height), c = inView(box.x, cell, columns, width);
  if (!r || !c) return std::nullopt;
  const float cellsPerPixel = std::clamp(1 / (cell * pixelsPerUnit), 1.0F, 65536.0F);
  const uint32_t factor = std::bit_ceil(uint32_t(std::ceil(cellsPerPixel)));
  return requestOf(r->first, r->second, c->first, c->second, factor);
}

DetailRequest withRoom(const DetailRequest& seen, uint32_t rows, uint32_t columns) {
  const CellRect& a = seen.area;
  const uint32_t down = a.rows / 4, right = a.columns / 4;
  return requestOf(a.row - std::min(a.row, down), std::min(rows, a.row + a.rows + down),
                   a.column - std::min(a.column, right),
                   std::min(columns, a.column + a.columns + right), seen.factor);
}

bool covers(const DetailRequest& held, const DetailRequest& seen) {
  const CellRect &h = held.area, &s = seen.area;
  return held.factor == seen.factor && h.row <= s.row && h.column <= s.column &&
         h.row + h.rows >= s.row + s.rows && h.column + h.columns >= s.column + s.columns;
}

std::shared_ptr<const Picture> averaged(const ValueSource& source, uint32_t rows, uint32_t columns,
                                        const DetailRequest& request) {
  const CellRect& area = request.area;
  const uint32_t factor = request.factor;
  auto picture = std::make_shared<Picture>();
  picture->rows = area.rows / factor;
  picture->columns = area.columns / factor;
  picture->values.reserve(size_t{picture->rows} * picture->columns);
  const uint32_t right = std::min(columns, area.column + area.columns);
  std::vector<float> line(right - area.column);
  std::vector<double> sums(picture->columns);
  for (uint32_t y = 0; y < picture->rows; ++y) {
    std::fill(sums.begin(), sums.end(), 0.0);
    const uint32_t top = area.row + y * factor, bottom = std::min(rows, top + factor);
    for (uint32_t row = top; row < bottom; ++row) {
      source.read(row, area.column, uint32_t(line.size()), line.data());
      for (size_t i = 0; i < line.size(); ++i) sums[i / factor] += double(line[i]);
    }
    for (uint32_t x = 0; x < picture->columns; ++x) {
      const uint32_t left = area.column + x * factor;
      const double cells = double(bottom - top) * double(std::min(right, left + factor) - left);
      picture->values.push_back(float(sums[x] / cells));
    }
  }
  return picture;
}

}  // namespace tilestep::gfx
