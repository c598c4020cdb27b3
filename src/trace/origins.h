// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "trace/block_trace.h"
#include "trace/elements.h"

namespace tilestep::trace {

/// Finds the global load from which each shared store's value came. This is the latest load with an
/// equal value by the same lane in the same epoch, of an instruction that feeds the store
/// (BlockTrace::feeds). At most the last 256 executions of an instruction are searched. The origin
/// of an asynchronous copy's data is the source of the copy; each lane's copies arrive in the order
/// in which they began.
class Origins {
 public:
  struct Origin {
    uint32_t load = kNoEvent;  ///< Index of the load or copy event.
    uint32_t shift = 0;        ///< Byte offset in the lane's loaded value.
  };
  Origins(const BlockTrace& recording, const Elements& elements);

  /// The origin of element `part` that `lane` stores in the shared store `event`, if known.
  [[nodiscard]] std::optional<Origin> of(uint32_t index, const TraceEvent& event, uint8_t lane,
                                         uint32_t part, uint8_t elementWidth) const;
  /// The place in shared memory at which byte `shift` of the data of `lane` in the event `copy`
  /// arrives; absent if it never arrives.
  [[nodiscard]] std::optional<Place> destinationOf(uint32_t copy, uint8_t lane,
                                                   uint32_t shift) const;

 private:
  static constexpr uint32_t kNoEvent = 0xffffffff;
  std::vector<uint32_t> starts_;  ///< By event: index of its first origin, or kNoEvent.
  std::vector<Origin> origins_;
  std::map<std::pair<uint32_t, uint8_t>, Place>
      destinations_;  ///< By copy and lane: where the first byte arrives.
};

/// Where `origin` is in its operand, for `lane`.
[[nodiscard]] Place placeOf(const BlockTrace& recording, const Origins::Origin& origin,
                            uint8_t lane);

}  // namespace tilestep::trace
