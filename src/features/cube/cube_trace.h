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

/// One multiply-add of the product, P[row][column] += M[row][k] · N[k][column], and when it ran.
struct CubePoint {
  uint32_t row = 0, column = 0, k = 0;
  uint32_t event = 0;   ///< Index in the recording.
  uint32_t thread = 0;  ///< As in trace::numberOf.
  uint32_t step = 0;    ///< At phase granularity.
};

/// The first load of an element of M or N.
struct CubeLoad {
  bool right = false;  ///< An element of N; otherwise an element of M.
  MatrixElement element;
  uint32_t event = 0;  ///< The first event that loads the element.
  uint32_t step = 0;   ///< The first step, at phase granularity, that loads the element.
};

/// The block's multiply-adds and loads in one step at phase granularity.
struct CubePhase {
  std::optional<uint32_t> phase;
  uint64_t points = 0;
  uint64_t zeros = 0;  ///< Multiply-adds with a zero that replaces an element past an edge.
  /// Multiply-adds whose elements cannot be identified with certainty from the trace.
  uint64_t unplaced = 0;
  uint64_t leftLoads = 0, rightLoads = 0;  ///< Elements that lanes load from M and N.
  uint64_t stores = 0;                     ///< Stored elements of P.
  uint32_t kFirst = 0,
           kLast = 0;  ///< The range of k of the phase's points; meaningless without points.
};

/// Loads by all events before a given event.
struct LoadSums {
  uint64_t left = 0, right = 0;
};

/// A rectangle of P.
struct ProductArea {
  uint32_t top = 0, left = 0, rows = 0, columns = 0;
  bool operator==(const ProductArea&) const = default;
};

/// All multiply-adds of the traced block, by their positions in the product's m × n × k cube. The
/// store that writes a sum identifies its element of P; the loads that feed a multiply-add identify
/// the factors. The recorded sum must equal the previous sum plus the factors' product. Immutable.
struct CubeTrace {
  std::string trouble;  ///< A sentence that says why there is no cube; empty if there is a cube.
  ProductShape shape;
  ProductArea block;  ///< The elements of P that the block computes.
  /// Size of each block's rectangle of P if the rectangles form a regular grid; otherwise 0.
  uint32_t tileRows = 0;
  uint32_t tileColumns = 0;
  std::vector<CubePoint> points;   ///< In the order of events.
  std::vector<CubeLoad> loads;     ///< In no particular order.
  std::vector<CubePhase> phases;   ///< By step at phase granularity.
  std::vector<LoadSums> loadSums;  ///< Indexed by event, with one final entry for the end.
  CubePhase all;                   ///< Sums over all steps, with no phase.
};
/// The largest number of multiply-adds that the cube shows.
inline constexpr uint64_t kMostPoints = uint64_t{1} << 20;
[[nodiscard]] CubeTrace cubeTraceOf(const TracedKernel& side);

}  // namespace tilestep::features
