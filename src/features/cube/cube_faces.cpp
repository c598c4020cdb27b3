// SPDX-License-Identifier: Apache-2.0
#include "features/cube/cube_faces.h"

#include <cstddef>

namespace tilestep::features {
namespace {

bool isLit(const CubeMark& mark) {
  return mark.tone == CubeTone::done || mark.tone == CubeTone::now;
}

/// Finds the visible sides, column by column. A column is a box along k; columns further up or
/// further left are nearer to the viewer.
class Surface {
 public:
  explicit Surface(const CubeMarks& marks) : marks_(marks), block_(marks.block()) {}

  std::vector<CubeFace> make() {
    for (uint32_t row = block_.top + block_.rows; row-- > block_.top;) {
      open_.count = 0;
      for (uint32_t column = block_.left + block_.columns; column-- > block_.left;)
        addColumn(row, column);
      closeEnd();
    }
    return std::move(faces_);
  }

 private:
  void addColumn(uint32_t row, uint32_t column) {
    const uint32_t end = endOf(row, column);
    const bool joins = open_.count > 0 && end > 0 && open_.k == end - 1 &&
                       open_.mark == marks_.at(row, column, end - 1);
    if (!joins) closeEnd();
    // Points at a larger k are nearer, so runs are added in ascending k.
    for (uint32_t k = 0; k < end;) {
      const uint32_t first = k;
      while (k < end && isLit(marks_.at(row, column, k))) ++k;
      addSides(row, column, first, k);
      if (k > first && k < end)
        faces_.push_back({CubeSide::product, row, column, k - 1, 1, marks_.at(row, column, k - 1)});
      if (k == first) ++k;
    }
    if (end == 0) return;
    open_ = {CubeSide::product,
             row,
             column,
             end - 1,
             joins ? open_.count + 1 : 1,
             marks_.at(row, column, end - 1)};
  }

  /// One past the k of the column's last marked point; 0 if the column has no marked point.
  [[nodiscard]] uint32_t endOf(uint32_t row, uint32_t column) const {
    uint32_t end = marks_.depth();
    while (end > 0 && !isLit(marks_.at(row, column, end - 1))) --end;
    return end;
  }

  /// Whether the point is marked and its neighbour at this side is not.
  [[nodiscard]] bool isSeen(uint32_t row, uint32_t column, uint32_t k, CubeSide side) const {
    if (!isLit(marks_.at(row, column, k))) return false;
    if (side == CubeSide::left)
      return column == block_.left || !isLit(marks_.at(row, column - 1, k));
    return row == block_.top || !isLit(marks_.at(row - 1, column, k));
  }

  /// The sides of a run of marked points that face N and M.
  void addSides(uint32_t row, uint32_t column, uint32_t first, uint32_t end) {
    for (const CubeSide side : {CubeSide::right, CubeSide::left})
      for (uint32_t k = first; k < end;) {
        const CubeMark& mark = marks_.at(row, column, k);
        const uint32_t from = k;
        while (k < end && isSeen(row, column, k, side) && marks_.at(row, column, k) == mark) ++k;
        if (k > from)
          faces_.push_back({side, row, column, from, k - from, mark});
        else
          ++k;
      }
  }

  /// Ends the current face. Ends of neighbouring columns of equal length form one face.
  void closeEnd() {
    if (open_.count > 0) faces_.push_back(open_);
    open_.count = 0;
  }

  const CubeMarks& marks_;
  const ProductArea& block_;
  CubeFace open_{.count = 0};
  std::vector<CubeFace> faces_;
};

}  // namespace

std::vector<CubeFace> separatePoints(const CubeMarks& marks) {
  std::vector<CubeFace> points;
  const ProductArea& block = marks.block();
  for (uint32_t row = block.top + block.rows; row-- > block.top;)
    for (uint32_t column = block.left + block.columns; column-- > block.left;)
      for (uint32_t k = 0; k < marks.depth(); ++k) {
        const CubeMark& mark = marks.at(row, column, k);
        if (mark.tone != CubeTone::none)
          points.push_back({CubeSide::product, row, column, k, 1, mark});
      }
  return points;
}

std::vector<CubeFace> surfaceOf(const CubeMarks& marks) {
  return Surface(marks).make();
}

}  // namespace tilestep::features
