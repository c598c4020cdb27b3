// SPDX-License-Identifier: Apache-2.0
#include "lab/array_reference.h"

#include <cmath>

namespace tilestep::lab {
namespace {

/// Whether two indices along a side differ by at most `radius`.
bool isNear(uint64_t a, uint64_t b, uint64_t radius) {
  return a < b ? b - a <= radius : a - b <= radius;
}

}  // namespace

RightElement PrefixSums::add(double element) {
  if (taken_ % length_ == 0) sum_ = {};
  ++taken_;
  sum_.value += element;
  sum_.scale += std::fabs(element);
  return sum_;
}

bool ConvolutionShape::isOne() const {
  return rows > 0 && columns > 0 && filterRows % 2 == 1 && filterColumns % 2 == 1;
}

bool ConvolutionShape::reaches(uint64_t element, uint64_t of) const {
  return isNear(element / columns, of / columns, filterRows / 2) &&
         isNear(element % columns, of % columns, filterColumns / 2);
}

RightElement convolved(const ConvolutionShape& shape, std::span<const double> matrix,
                       std::span<const double> filter, uint64_t row, uint64_t column) {
  const uint64_t up = shape.filterRows / 2, left = shape.filterColumns / 2;
  RightElement sum;
  for (uint64_t i = 0; i < shape.filterRows; ++i) {
    if (row + i < up || row + i - up >= shape.rows) continue;
    for (uint64_t j = 0; j < shape.filterColumns; ++j) {
      if (column + j < left || column + j - left >= shape.columns) continue;
      const double term = filter[i * shape.filterColumns + j] *
                          matrix[(row + i - up) * shape.columns + column + j - left];
      sum.value += term;
      sum.scale += std::fabs(term);
    }
  }
  return sum;
}

}  // namespace tilestep::lab
