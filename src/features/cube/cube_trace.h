// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "features/cube/product_shape.h"
#include "features/names.h"
#include "model/scene/traced_kernel.h"

namespace tilestep::features {

/// One multiply-add of the product, P[row][column] += M[row][k] · N[k][column], and its time.
struct CubePoint {
  uint32_t row = 0, column = 0, k = 0;
  uint32_t event = 0;   ///< In the recording.
  uint32_t thread = 0;  ///< numberOf
  uint32_t step = 0;    ///< At phase granularity.
};

/// The first load of an element of M or N.
struct CubeLoad {
  bool right = false;  ///< An element of N; otherwise of M.
  MatrixElement element;
  uint32_t event = 0;  ///< The first load of it by event,
  uint32_t step = 0;   ///< and the first one by step at phase granularity.
};

/// The multiply-adds and loads of the block in one step at phase granularity.
struct CubePhase {
  std::optional<uint32_t> phase;
  uint64_t points = 0;
  uint64_t zeros = 0;  ///< Multiply-adds with a zero in place of an element past an edge.
  /// Multiply-adds whose elements cannot be identified with certainty from the trace.
  uint64_t unplaced = 0;
  uint64_t leftLoads = 0, rightLoads = 0;  ///< Elements that lanes load from M and N.
  uint64_t stores = 0;                     ///< Elements of P.
  uint32_t kFirst = 0, kLast = 0;          ///< Range of its points, if it has any.
};

/// The number of loads by all events before the one with this index.
struct LoadSums {
  uint64_t left = 0, right = 0;
};

/// A rectangle of P.
struct ProductArea {
  uint32_t top = 0, left = 0, rows = 0, columns = 0;
  bool operator==(const ProductArea&) const = default;
};

/// All multiply-adds of the traced block, by their positions in the product's m × n × k cube. Each
/// is found from the trace: the sum's element by the store that writes it, the factors by the loads
/// that feed it; the recorded sum must be the previous sum plus their product. Immutable.
struct CubeTrace {
  std::string trouble;  ///< The reason why there is no cube, in a sentence; otherwise empty.
  ProductShape shape;
  ProductArea block;  ///< The elements of P that the block computes.
  /// Size of each block's rectangle of P if these form a regular grid; 0: unknown.
  uint32_t tileRows = 0;
  uint32_t tileColumns = 0;
  std::vector<CubePoint> points;   ///< By event.
  std::vector<CubeLoad> loads;     ///< In no particular order.
  std::vector<CubePhase> phases;   ///< By step at phase granularity.
  std::vector<LoadSums> loadSums;  ///< Indexed by event, with one more entry at the end.
  CubePhase all;                   ///< Summed over all steps; has no phase.
};
/// The most multiply-adds that are shown.
inline constexpr uint64_t kMostPoints = uint64_t{1} << 20;
[[nodiscard]] CubeTrace cubeTraceOf(const TracedKernel& side);

}  // namespace tilestep::features
