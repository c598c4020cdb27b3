// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "features/cube/product_shape.h"
#include "features/names.h"
#include "trace/elements.h"
#include "trace/feeds.h"
#include "trace/origins.h"

namespace tilestep::features {

/// A value that a lane loaded, and the element of M or N that the value comes from.
struct Factor {
  /// `zero` is a zero stored in place of an element past an edge; `unknown` has an unknown origin.
  enum class Kind : uint8_t { unknown, zero, left, right };
  Kind kind = Kind::unknown;
  MatrixElement element;
  uint64_t bits = 0;
};

/// Follows the elements of M and N through a trace: from global memory, through shared slots, to
/// the lanes that multiply them. Receives the events in order.
class Factors {
 public:
  Factors(const trace::BlockTrace& recording, const trace::Elements& elements,
          const trace::Origins& origins, const ProductShape& shape);

  /// Processes event `index`: a load, a store to a slot, or the arrival of an asynchronous copy.
  void see(uint32_t index, const trace::TraceEvent& event);

  /// The values that each lane loaded in the last execution of one load instruction.
  struct Held {
    uint32_t parts = 0;           ///< Elements per lane.
    std::vector<Factor> byLane;   ///< Indexed by lane, then by part.
    std::vector<Factor> earlier;  ///< `byLane` of the previous execution.
  };
  /// The loaded values that feed an instruction of a warp. Valid until the next see().
  [[nodiscard]] std::vector<const Held*> feeding(const trace::TraceEvent& event) const;

 private:
  [[nodiscard]] Factor inGlobal(int16_t buffer, uint32_t offset, uint64_t bits) const;
  void load(uint32_t index, const trace::TraceEvent& event);
  void fill(uint32_t index, const trace::TraceEvent& event);

  const trace::BlockTrace& recording_;
  const trace::Elements& elements_;
  const trace::Origins& origins_;
  const ProductShape& shape_;
  trace::Feeds feeds_;
  std::map<std::pair<uint32_t, uint32_t>, Held> held_;  ///< By warp and instruction.
  std::unordered_map<uint64_t, Factor> slots_;          ///< By shared array and offset.
};

}  // namespace tilestep::features
