// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/element.h"
#include "features/cube/cube_trace.h"
#include "features/cube/factors.h"
#include "features/cube/sum_elements.h"
#include "features/names.h"

namespace tilestep::features {

/// A lane's update of a sum that is no point of the cube.
struct OtherUpdate {
  uint32_t event = 0, thread = 0;
  bool zero = false;  ///< It adds a product with a zero past an edge; otherwise it is unplaced.
};

/// Finds the multiply-adds of a block, one event after the other.
class MultiplyAdds {
 public:
  MultiplyAdds(const TracedKernel& side, const ProductShape& shape, const SumElements& sums,
               const trace::Elements& elements);
  /// Takes an update of the sums in. `factors` has seen all events before it.
  void see(uint32_t index, const trace::TraceEvent& event, const Factors& factors);

  std::vector<CubePoint> points;
  std::vector<OtherUpdate> others;

 private:
  void update(const trace::Access& access, const std::vector<const Factors::Held*>& held);
  [[nodiscard]] std::optional<uint32_t> termOf(const MatrixElement& element, uint64_t before,
                                               uint64_t after) const;
  void gather(const std::vector<const Factors::Held*>& held, uint32_t lane, bool earlier);

  const SumElements& sums_;
  const trace::Elements& elements_;
  ElementType type_;
  uint32_t each_ = 1;
  std::vector<uint64_t> values_;      ///< Of each thread's sums, so far.
  std::vector<Factor> left_, right_;  ///< Of the lane at hand.
  bool zero_ = false;                 ///< It multiplies by a zero past an edge, or may.
};

/// Whether the recorded sum is the sum before plus the product, fused or not. True where the type
/// is not one that can be worked out here.
[[nodiscard]] bool isMultiplyAdd(ElementType type, uint64_t before, uint64_t left, uint64_t right,
                                 uint64_t after);

}  // namespace tilestep::features
