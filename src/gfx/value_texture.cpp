// SPDX-License-Identifier: Apache-2.0
#include "gfx/value_texture.h"

#include <algorithm>
#include <cmath>

#include "base/dim3.h"

namespace tilestep::gfx {
namespace {

struct Average {
  float shade = 0, written = 0;  // Both 0 to 255.
};

Average averageOf(const Picture& p, uint32_t row, uint32_t column, uint32_t factor, float low,
                  float scale) {
  Average sum;
  uint32_t count = 0;
  const uint32_t lastRow = std::min(p.rows, row + factor);
  const uint32_t lastColumn = std::min(p.columns, column + factor);
  for (uint32_t r = row; r < lastRow; ++r) {
    const float* values = &p.values[size_t{r} * p.columns];
    for (uint32_t c = column; c < lastColumn; ++c, ++count) {
      if (std::isnan(values[c])) continue;
      sum.shade += std::clamp((values[c] - low) * scale, 0.0F, 255.0F);
      sum.written += 255;
    }
  }
  return {sum.shade / float(count), sum.written / float(count)};
}

}  // namespace

ValueBytes valueBytes(const Picture& picture, float low, float high, uint32_t most) {
  ValueBytes out;
  if (picture.rows == 0 || picture.columns == 0 ||
      picture.values.size() < size_t{picture.rows} * picture.columns)
    return out;
  const auto factor = uint32_t(ceilDiv(std::max(picture.rows, picture.columns), most));
  out.rows = uint32_t(ceilDiv(picture.rows, factor));
  out.columns = uint32_t(ceilDiv(picture.columns, factor));
  out.bytes.resize(size_t{out.rows} * out.columns * 2);
  const float scale = high > low ? 255 / (high - low) : 0;
  uint8_t* to = out.bytes.data();
  for (uint32_t r = 0; r < picture.rows; r += factor) {
    for (uint32_t c = 0; c < picture.columns; c += factor, to += 2) {
      const Average a = averageOf(picture, r, c, factor, low, scale);
      to[0] = uint8_t(a.shade + 0.5F);
      to[1] = uint8_t(a.written + 0.5F);
    }
  }
  return out;
}

}  // namespace tilestep::gfx
