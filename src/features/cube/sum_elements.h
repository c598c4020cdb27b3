// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "features/cube/product_shape.h"
#include "features/names.h"
#include "trace/elements.h"

namespace tilestep::features {

/// The element of P that receives each sum of a block. Found from the stores in the trace that
/// write a sum (BlockTrace::sumStores); if one instruction stores several sums, the stored value
/// identifies the sum. A sum without a recorded store by its thread has no element.
class SumElements {
 public:
  SumElements(const TracedKernel& side, const ProductShape& shape, const trace::Elements& elements);
  [[nodiscard]] std::optional<MatrixElement> of(uint32_t thread, int16_t sum) const;
  [[nodiscard]] bool empty() const { return found_ == 0; }

 private:
  void assign(uint32_t thread, uint32_t sum, const MatrixElement& element);

  uint32_t each_ = 1;  ///< Number of sums per thread.
  size_t found_ = 0;
  std::vector<std::optional<MatrixElement>> elements_;  ///< By thread, then by sum.
};

}  // namespace tilestep::features
