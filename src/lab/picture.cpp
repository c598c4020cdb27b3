// SPDX-License-Identifier: Apache-2.0
#include "lab/picture.h"

#include <algorithm>

#include "lab/elements.h"

namespace tilestep::lab {
namespace {

/// The number of cells along a side of `length`, if the longest side `longest` has `side` cells.
uint32_t cellsOf(uint64_t length, uint64_t longest, uint32_t side) {
  if (longest <= side) return static_cast<uint32_t>(length);
  const double share = static_cast<double>(length) / static_cast<double>(longest);
  return static_cast<uint32_t>(std::clamp<double>(share * side + 0.5, 1, side));
}

float meanOf(const Picture& picture, ElementType type, std::span<const std::byte> bytes, uint32_t y,
             uint32_t x) {
  const uint64_t top = y * picture.rows / picture.height;
  const uint64_t bottom = (y + uint64_t{1}) * picture.rows / picture.height;
  const uint64_t left = x * picture.columns / picture.width;
  const uint64_t right = (x + uint64_t{1}) * picture.columns / picture.width;
  const size_t width = bytesOf(type);
  double sum = 0;
  for (uint64_t row = top; row < bottom; ++row) {
    for (uint64_t column = left; column < right; ++column) {
      sum += elementAsDouble(type, bytes.data() + (row * picture.columns + column) * width);
    }
  }
  return static_cast<float>(sum / static_cast<double>((bottom - top) * (right - left)));
}

}  // namespace

Picture makePicture(const device::Operand& operand, uint32_t index,
                    std::span<const std::byte> bytes, uint32_t side) {
  Picture picture;
  picture.operand = index;
  const bool flat = operand.rows * operand.columns != operand.elements || operand.rows == 0;
  picture.rows = flat ? 1 : operand.rows;
  picture.columns = flat ? operand.elements : operand.columns;
  if (side == 0 || operand.elements == 0 || bytes.size() < operand.bytes()) return picture;
  const uint64_t longest = std::max(picture.rows, picture.columns);
  picture.height = cellsOf(picture.rows, longest, side);
  picture.width = cellsOf(picture.columns, longest, side);
  picture.values.reserve(size_t{picture.height} * picture.width);
  for (uint32_t y = 0; y < picture.height; ++y) {
    for (uint32_t x = 0; x < picture.width; ++x) {
      picture.values.push_back(meanOf(picture, operand.type, bytes, y, x));
    }
  }
  return picture;
}

}  // namespace tilestep::lab
