// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace tilestep::trace {

enum class Operation : uint8_t {
  load,
  store,
  atomic,
  barrier,
  accumulate,  ///< An fma or add that updates an accumulator; holds each lane's new value.
  copy,        ///< cp.async begins to copy global elements to shared memory; with space `none`
               ///< and no offsets it copies zeros. Not counted among the loads.
  arrive,      ///< The data of an earlier `copy` of the same instruction is in its shared slots;
               ///< recorded where the warp waited for it. Not counted among the stores.
};
[[nodiscard]] std::string_view toText(Operation operation);

enum class Space : uint8_t { none, global, shared, local, constant };
[[nodiscard]] std::string_view toText(Space space);

/// One warp instruction. Events are ordered by (epoch, warp, sequence) on every device.
struct TraceEvent {
  uint32_t epoch = 0;        ///< Barriers that this warp has completed.
  uint32_t warp = 0;         ///< Index in its block.
  uint32_t sequence = 0;     ///< Counts this warp's events from 0.
  uint32_t instruction = 0;  ///< Index in the entry function's body.
  uint32_t line = 0;         ///< Line in the kernel's source; 0 if unknown.
  Operation operation = Operation::load;
  Space space = Space::none;
  uint8_t width = 0;    ///< Bytes each lane moves; 0 for a barrier.
  int16_t buffer = -1;  ///< Global: operand index. Shared: index of the shared variable.
                        ///< Accumulate: index of the accumulator of each thread. Else -1.
  uint32_t mask = 0;    ///< Active lanes.
  uint64_t clock = 0;   ///< Optional timestamp, not used for ordering; 0 if absent.
  /// One entry per active lane, in lane order: its byte offset into the buffer, never an address.
  std::span<const uint32_t> offsets;
  /// `width` bytes per active lane, in lane order: the value read, written or accumulated.
  std::span<const std::byte> values;
};

}  // namespace tilestep::trace
