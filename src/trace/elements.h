// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstring>
#include <map>
#include <utility>

#include "base/bytes.h"
#include "trace/replay.h"

namespace tilestep::trace {

/// Splits accesses into elements, so that vector and scalar accesses refer to the same elements.
/// The element size of a buffer is the largest size that divides the width of every access to it
/// and, if the cut describes the operand, the operand's element size. If that exceeds 8 bytes,
/// because all accesses are vectors, it is 4 bytes instead.
class Elements {
 public:
  Elements(const BlockTrace& recording, const Cut& cut);

  /// The bytes of an element; 0 if no event accesses the buffer.
  [[nodiscard]] uint8_t widthOf(Space space, int16_t buffer) const;

  /// The number of elements for which visit() calls its argument.
  [[nodiscard]] size_t count(const TraceEvent& event, uint32_t mask) const {
    const auto lanes = static_cast<size_t>(std::popcount(event.mask & mask));
    return lanes * partsOf(event);
  }
  /// Calls visit(access, part) for each element that the lanes in `mask` access; `part` counts the
  /// elements of each lane from 0. Events without offsets have no elements, except accumulates.
  template <class Visit>
  void visit(uint32_t index, const TraceEvent& event, uint32_t mask, Visit&& visit) const {
    const uint32_t parts = partsOf(event);
    if (parts == 0) return;
    const auto width = static_cast<uint8_t>(event.width / parts);
    Access access;
    access.event = index;
    access.warp = static_cast<uint16_t>(event.warp);
    access.width = width;
    access.buffer = event.buffer;
    size_t position = 0;
    for (uint32_t lanes = event.mask; lanes != 0; lanes &= lanes - 1, ++position) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(lanes));
      if (((mask >> lane) & 1U) == 0) continue;
      access.lane = static_cast<uint8_t>(lane);
      access.thread = event.warp * 32 + lane;
      for (uint32_t part = 0; part < parts; ++part) {
        access.offset = event.offsets.empty() ? 0 : event.offsets[position] + part * width;
        access.bits = bitsAt(event, position * event.width + size_t{part} * width, width);
        visit(std::as_const(access), part);
      }
    }
  }

 private:
  /// Elements per lane.
  [[nodiscard]] uint32_t partsOf(const TraceEvent& event) const {
    const bool accumulate = event.operation == Operation::accumulate;
    if (event.operation == Operation::barrier || event.width == 0) return 0;
    if (accumulate) return 1;
    return event.offsets.empty() ? 0U : uint32_t{event.width} / widthOf(event.space, event.buffer);
  }
  static uint64_t bitsAt(const TraceEvent& event, size_t at, uint8_t width) {
    uint64_t bits = 0;
    if (!event.values.empty()) {
      std::memcpy(&bits, event.values.data() + at, width < 8 ? width : 8);
    }
    return littleEndian(bits);
  }

  std::map<std::pair<Space, int16_t>, uint8_t> widths_;
};

}  // namespace tilestep::trace
