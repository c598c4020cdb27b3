// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "features/names.h"
#include "model/scene/traced_kernel.h"

namespace tilestep::features {

/// An element of a matrix.
struct MatrixElement {
  uint32_t row = 0, column = 0;
  bool operator==(const MatrixElement&) const = default;
};

/// The operands that are the matrices of a product P = M N, and its sizes.
struct ProductShape {
  int16_t left = -1, right = -1, product = -1;  ///< Operand indices of M, N and P.
  uint32_t rows = 0, columns = 0, depth = 0;    ///< m, n and k.
  std::string leftName = "M", rightName = "N", productName = "P";  ///< The kernel's names.
  /// Bytes per element of M, N and P.
  uint32_t leftBytes = 4, rightBytes = 4, productBytes = 4;

  [[nodiscard]] MatrixElement leftAt(uint32_t offset) const {
    return {offset / leftBytes / depth, offset / leftBytes % depth};
  }
  [[nodiscard]] MatrixElement rightAt(uint32_t offset) const {
    return {offset / rightBytes / columns, offset / rightBytes % columns};
  }
  [[nodiscard]] MatrixElement productAt(uint32_t offset) const {
    return {offset / productBytes / columns, offset / productBytes % columns};
  }
};
/// Absent if the kernel is not a product of two matrices.
[[nodiscard]] std::optional<ProductShape> productShapeOf(const TracedKernel& side);

}  // namespace tilestep::features
