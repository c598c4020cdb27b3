// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "trace/block_trace.h"

namespace tilestep::trace {

/// For each block of a launch on a GPU: when it ran, on which multiprocessor, and how its warps'
/// time divides into work and waiting at barriers. Decoded from the clocks of
/// ptx/rewrite/instrument_clocks.h. Warp-cycles are cycles of the multiprocessor's clock, summed
/// over warps; a block's warp-cycles / warpsPerBlock is the mean of its warps. "Busy" is all time
/// between barriers, including waits for memory.
struct Timeline {
  /// Total bytes of epochBusy and epochWait.
  static constexpr size_t kEpochCapBytes = size_t{32} << 20;
  static constexpr uint32_t kMaxBlocks = 1U << 20;
  static constexpr uint32_t kMaxWarpsPerBlock = 32;

  std::string device;   ///< "cuda:0"
  uint32_t tickNs = 0;  ///< The observed resolution of the device's nanosecond clock.
  uint32_t multiprocessors = 0;
  uint32_t maxWarps = 0;  ///< The most resident warps per multiprocessor.
  uint32_t warpsPerBlock = 0;
  double clockMhz = 0;  ///< The multiprocessors' cycles / time; 0 if the launch was too short.
  /// The overhead factor: median time with clock reads / median time of the plain kernel.
  double price = 0;
  uint32_t registers = 0, plainRegisters = 0;  ///< Per thread, with and without clocks.
  uint32_t phases = 0, epochsPerPhase = 0;     ///< From the kernel's front matter; 0 if unknown.
  uint32_t epochsBefore = 0;  ///< Epochs before the first phase, from front matter.

  // ---- By block, in the order of linear block indices ----
  std::vector<uint32_t> sm;              ///< Multiprocessor index, < multiprocessors.
  std::vector<uint64_t> startNs, endNs;  ///< Since the first block's start, in steps of tickNs.
  /// Summed over the block's warps, from each warp's start to its end.
  std::vector<uint64_t> busyWarpCycles, waitWarpCycles;
  /// By SM: cycles from its first warp's start to its last warp's end; 0 if no block ran on it.
  std::vector<uint64_t> activeCycles;

  // ---- By epoch ----
  uint32_t epochs = 0;  ///< The largest number of barriers that a block passed, plus 1.
  /// The epochs of every epochStep-th block are stored, starting with block 0, so that they fit the
  /// cap. 0 if no epochs are stored, because a block exceeded a cell's range (2^27 cycles).
  uint32_t epochStep = 0;
  std::vector<uint32_t> epochBusy, epochWait;  ///< Warp-cycles at [row * epochs + epoch].

  [[nodiscard]] size_t blocks() const { return sm.size(); }
  /// The number of blocks whose epochs are stored; row r is block r * epochStep.
  [[nodiscard]] size_t rows() const { return epochs == 0 ? 0 : epochBusy.size() / epochs; }

  /// The position of `epoch` in its phase, from 0. Absent if it is in no phase or phases are
  /// unknown.
  [[nodiscard]] std::optional<uint32_t> positionInPhase(uint32_t epoch) const;

  /// Returns an Error about the first invalid value, such as a block that ends before it starts or
  /// has more resident time than its multiprocessor was active.
  [[nodiscard]] Status check() const;
  bool operator==(const Timeline&) const = default;
};

}  // namespace tilestep::trace
