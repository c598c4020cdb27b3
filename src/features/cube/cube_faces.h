// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "features/cube/cube_trace.h"
#include "features/names.h"

namespace tilestep::features {

/// `later` is not computed yet, `done` was computed in an earlier step, `now` in this step.
enum class CubeTone : uint8_t { none, later, done, now };

/// The look of adjacent multiply-adds. `odd` is true in an odd phase, which has a different shade.
struct CubeMark {
  CubeTone tone = CubeTone::none;
  bool odd = false;
  bool operator==(const CubeMark&) const = default;
};

/// The visible sides of the cube: `product` faces P, `left` faces M, `right` faces N.
enum class CubeSide : uint8_t { product, left, right };

/// The visible side of adjacent points: along the columns for P's side, otherwise along k.
struct CubeFace {
  CubeSide side = CubeSide::product;
  uint32_t row = 0, column = 0, k = 0;  ///< Position of the first point.
  uint32_t count = 1;                   ///< Points.
  CubeMark mark;
};

/// The marks of the block's points at one moment: by row and column of the block, then by k.
class CubeMarks {
 public:
  CubeMarks(const ProductArea& block, uint32_t depth)
      : block_(block), depth_(depth), marks_(size_t{block.rows} * block.columns * depth) {}
  [[nodiscard]] const ProductArea& block() const { return block_; }
  [[nodiscard]] uint32_t depth() const { return depth_; }
  /// Row, column and k of the product, within the block.
  [[nodiscard]] CubeMark& at(uint32_t row, uint32_t column, uint32_t k) {
    return marks_[indexOf(row, column) + k];
  }
  [[nodiscard]] const CubeMark& at(uint32_t row, uint32_t column, uint32_t k) const {
    return marks_[indexOf(row, column) + k];
  }

 private:
  [[nodiscard]] size_t indexOf(uint32_t row, uint32_t column) const {
    return (size_t{row - block_.top} * block_.columns + (column - block_.left)) * depth_;
  }
  ProductArea block_;
  uint32_t depth_ = 0;
  std::vector<CubeMark> marks_;
};

/// Up to this many points are drawn individually with gaps between them. With more points, each
/// fills its cell, so only points at the surface are visible.
inline constexpr uint64_t kMostSeparatePoints = 1024;

/// The points ordered from the farthest to the nearest, seen from above, from the left, and from
/// the end of k. `count` is 1, and `side` has no meaning.
[[nodiscard]] std::vector<CubeFace> separatePoints(const CubeMarks& marks);
/// The visible sides of all computed points, ordered so that later sides cover earlier ones from
/// that viewpoint. Omits sides that other points cover completely.
[[nodiscard]] std::vector<CubeFace> surfaceOf(const CubeMarks& marks);

}  // namespace tilestep::features
