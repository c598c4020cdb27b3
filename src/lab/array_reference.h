// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

/// Float64 reference values for elements of prefix sums and convolutions. Pure.
namespace tilestep::lab {

/// The exact value of an output element, and the sum of the magnitudes of its terms.
struct RightElement {
  double value = 0, scale = 0;
};

/// Inclusive prefix sums of an array, restarted at each block of `length` elements.
class PrefixSums {
 public:
  /// `length` is at least 1.
  explicit PrefixSums(uint64_t length) : length_(length) {}
  /// Adds the next element, in array order.
  RightElement add(double element);

 private:
  uint64_t length_, taken_ = 0;
  RightElement sum_;
};

/// A row-major matrix and a row-major filter with odd sides, centred on the computed element.
struct ConvolutionShape {
  uint64_t rows = 0, columns = 0;
  uint64_t filterRows = 0, filterColumns = 0;

  /// True if no side is 0 and the filter's sides are odd.
  [[nodiscard]] bool isOne() const;
  /// Whether output element `element` depends on matrix element `of`.
  [[nodiscard]] bool reaches(uint64_t element, uint64_t of) const;
};

/// The sum of filter[i][j] * matrix[row + i - filterRows / 2][column + j - filterColumns / 2] over
/// the whole filter; elements outside the matrix count as 0.
[[nodiscard]] RightElement convolved(const ConvolutionShape& shape, std::span<const double> matrix,
                                     std::span<const double> filter, uint64_t row, uint64_t column);

}  // namespace tilestep::lab
