// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

/// What elements of prefix sums and of convolutions must be, in float64. Pure.
namespace tilestep::lab {

/// An output element, and the sum of the magnitudes of what is added up to it.
struct RightElement {
  double value = 0, scale = 0;
};

/// Inclusive prefix sums of an array, which begin anew with each block of `length` elements.
class PrefixSums {
 public:
  /// `length` is 1 or more.
  explicit PrefixSums(uint64_t length) : length_(length) {}
  /// Takes the elements in their order.
  RightElement add(double element);

 private:
  uint64_t length_, taken_ = 0;
  RightElement sum_;
};

/// A matrix and a filter, both row-major. The filter's sides are odd: its middle lies on the
/// element that is computed.
struct ConvolutionShape {
  uint64_t rows = 0, columns = 0;
  uint64_t filterRows = 0, filterColumns = 0;

  /// No side is 0, and the filter has a middle.
  [[nodiscard]] bool isOne() const;
  /// Whether output element `element` depends on element `of` of the matrix.
  [[nodiscard]] bool reaches(uint64_t element, uint64_t of) const;
};

/// The sum of filter[i][j] * matrix[row + i - filterRows / 2][column + j - filterColumns / 2] over
/// the whole filter, where what lies outside the matrix counts as 0.
[[nodiscard]] RightElement convolved(const ConvolutionShape& shape, std::span<const double> matrix,
                                     std::span<const double> filter, uint64_t row, uint64_t column);

}  // namespace tilestep::lab
