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
  accumulate,  ///< An fma or add that updates an accumulator; `values` are the new values.
  /// The start of a cp.async from global to shared memory. If the space is `none`, without offsets,
  /// it copies zeros. Not counted as a load.
  copy,
  /// The data of an earlier `copy` of the same instruction arrive in shared memory, recorded where
  /// the warp waited for them. Not counted as a store.
  arrive,
};
[[nodiscard]] std::string_view toText(Operation operation);

enum class Space : uint8_t { none, global, shared, local, constant };
[[nodiscard]] std::string_view toText(Space space);

/// One warp instruction. Events are ordered by (epoch, warp, sequence) on every device.
struct TraceEvent {
  uint32_t epoch = 0;        ///< The number of barriers that the warp has completed.
  uint32_t warp = 0;         ///< Index in the block.
  uint32_t sequence = 0;     ///< Counts the warp's events from 0.
  uint32_t instruction = 0;  ///< Index in the entry function's body.
  uint32_t line = 0;         ///< Line in the kernel's source; 0 if unknown.
  Operation operation = Operation::load;
  Space space = Space::none;
  uint8_t width = 0;  ///< Bytes that each lane moves; 0 for a barrier.
  /// Index of the operand (global memory), shared variable or thread's accumulator; else -1.
  int16_t buffer = -1;
  uint32_t mask = 0;   ///< Active lanes.
  uint64_t clock = 0;  ///< Optional timestamp, not used for ordering; 0 if absent.
  /// Byte offsets in the buffer, never addresses, one per active lane, in lane order.
  std::span<const uint32_t> offsets;
  /// The values read, written or accumulated, `width` bytes per active lane, in lane order.
  std::span<const std::byte> values;
};

}  // namespace tilestep::trace
