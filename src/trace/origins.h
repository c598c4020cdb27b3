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

/// The global load from which each shared store's value came: the latest load by the same lane, in
/// the same epoch, of an instruction that feeds the store (BlockTrace::feeds), whose value is
/// equal. Looks back over at most 256 executions of an instruction. Data of an asynchronous copy
/// came from the source of the copy instruction; each lane's copies arrive in the order in which
/// they began.
class Origins {
 public:
  struct Origin {
    uint32_t load = kNoEvent;  ///< Index of the event.
    uint32_t shift = 0;        ///< Byte offset into what the lane loaded.
  };
  Origins(const BlockTrace& recording, const Elements& elements);

  /// The origin of element `part` that `lane` stores in the shared store `event`, if it is known.
  [[nodiscard]] std::optional<Origin> of(uint32_t index, const TraceEvent& event, uint8_t lane,
                                         uint32_t part, uint8_t elementWidth) const;
  /// The place at which byte `shift` of the data that `lane` copies in the event `copy` arrives;
  /// absent if it never arrives.
  [[nodiscard]] std::optional<Place> destinationOf(uint32_t copy, uint8_t lane,
                                                   uint32_t shift) const;

 private:
  static constexpr uint32_t kNoEvent = 0xffffffff;
  std::vector<uint32_t> starts_;  ///< By event: index of its first origin, or kNoEvent.
  std::vector<Origin> origins_;
  std::map<std::pair<uint32_t, uint8_t>, Place>
      destinations_;  ///< By copy and lane: the place at which its first byte arrives.
};

/// The place of `origin` in its operand for `lane`.
[[nodiscard]] Place placeOf(const BlockTrace& recording, const Origins::Origin& origin,
                            uint8_t lane);

}  // namespace tilestep::trace
