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

/// A lane's update of a sum that has no point in the cube.
struct OtherUpdate {
  uint32_t event = 0, thread = 0;
  /// Its factor is a zero that replaces an element past an edge; otherwise its position is unknown.
  bool zero = false;
};

/// Finds a block's multiply-adds, event by event.
class MultiplyAdds {
 public:
  MultiplyAdds(const TracedKernel& side, const ProductShape& shape, const SumElements& sums,
               const trace::Elements& elements);
  /// Processes an update of the sums. `factors` must have seen all earlier events.
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
  std::vector<uint64_t> values_;      ///< The previous value of each thread's sums.
  std::vector<Factor> left_, right_;  ///< The present lane's factors.
  bool zero_ = false;  ///< The present lane may multiply by a zero from past an edge.
};

/// Whether the recorded sum is the previous sum plus the product, fused or not. Always true for a
/// type whose arithmetic is not implemented here.
[[nodiscard]] bool isMultiplyAdd(ElementType type, uint64_t before, uint64_t left, uint64_t right,
                                 uint64_t after);

}  // namespace tilestep::features
