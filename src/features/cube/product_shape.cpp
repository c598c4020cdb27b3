// SPDX-License-Identifier: Apache-2.0
#include "features/cube/product_shape.h"

#include <cstddef>
#include <vector>

#include "base/element.h"

namespace tilestep::features {

std::optional<ProductShape> productShapeOf(const TracedKernel& side) {
  if (!side.spec.reference.starts_with("matmul")) return std::nullopt;
  ProductShape shape;
  const std::vector<compile::ResolvedOperand>& operands = side.result->plan.operands;
  for (size_t i = 0; i < operands.size(); ++i) {
    const compile::ResolvedOperand& operand = operands[i];
    if (operand.spec.kind != OperandKind::buffer || operand.columns == 0) continue;
    const auto index = static_cast<int16_t>(i);
    const uint32_t bytes = bytesOf(operand.spec.type);
    if (operand.spec.columns == "k") {
      shape.left = index;
      shape.leftName = operand.spec.name;
      shape.leftBytes = bytes;
      shape.rows = static_cast<uint32_t>(operand.rows);
      shape.depth = static_cast<uint32_t>(operand.columns);
    } else if (operand.spec.rows == "k") {
      shape.right = index;
      shape.rightName = operand.spec.name;
      shape.rightBytes = bytes;
      shape.columns = static_cast<uint32_t>(operand.columns);
    } else if (operand.spec.direction != Direction::in) {
      shape.product = index;
      shape.productName = operand.spec.name;
      shape.productBytes = bytes;
    }
  }
  const bool whole = shape.left >= 0 && shape.right >= 0 && shape.product >= 0;
  return whole && shape.depth > 0 && shape.columns > 0 ? std::optional(shape) : std::nullopt;
}

}  // namespace tilestep::features
