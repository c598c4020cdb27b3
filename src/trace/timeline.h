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

/// The times at which each block of one launch ran on a GPU, its multiprocessor, and how its warps'
/// time divides into work and waiting at barriers, decoded from the clocks of
/// ptx/rewrite/instrument_clocks.h. A value. Warp-cycles are cycles of the multiprocessor's clock
/// summed over warps; the mean of a block's warps is its warp-cycles / warpsPerBlock. "Busy" is all
/// time between barriers, including waits for memory.
struct Timeline {
  static constexpr size_t kEpochCapBytes = size_t{32} << 20;  ///< Size of epochBusy and epochWait.
  static constexpr uint32_t kMaxBlocks = 1U << 20;
  static constexpr uint32_t kMaxWarpsPerBlock = 32;

  std::string device;   ///< "cuda:0"
  uint32_t tickNs = 0;  ///< Observed resolution of the device's nanosecond clock.
  uint32_t multiprocessors = 0;
  uint32_t maxWarps = 0;  ///< The most that can be resident on one multiprocessor.
  uint32_t warpsPerBlock = 0;
  double clockMhz = 0;  ///< The multiprocessors' cycles / time; 0: the launch was too short.
  double price = 0;  ///< Overhead: median time with clock reads / median time of the plain kernel.
  uint32_t registers = 0, plainRegisters = 0;  ///< Per thread, with and without clocks.
  uint32_t phases = 0, epochsPerPhase = 0;     ///< From the kernel's front matter; 0: unknown.
  uint32_t epochsBefore = 0;  ///< Epochs before the first phase, from front matter.

  // ---- By block, in the order of linear block indices ----
  std::vector<uint32_t> sm;              ///< Multiprocessor index, < multiprocessors.
  std::vector<uint64_t> startNs, endNs;  ///< Since the first block's start; steps of tickNs.
  std::vector<uint64_t> busyWarpCycles;  ///< Summed over the block's warps, each from its own
  std::vector<uint64_t> waitWarpCycles;  ///< start to its own end.
  /// By multiprocessor: cycles from its first warp's start to its last warp's end; 0: no block ran.
  std::vector<uint64_t> activeCycles;

  // ---- By epoch ----
  uint32_t epochs = 0;  ///< The maximum over the blocks of barriers passed + 1.
  /// The epochs of every epochStep-th block are kept, starting with block 0, so that they fit the
  /// cap. 0: none are kept, because a block exceeded the range of a cell (2^27 cycles).
  uint32_t epochStep = 0;
  std::vector<uint32_t> epochBusy, epochWait;  ///< [row * epochs + epoch], warp-cycles.

  [[nodiscard]] size_t blocks() const { return sm.size(); }
  /// Blocks whose epochs are kept; row r is block r * epochStep.
  [[nodiscard]] size_t rows() const { return epochs == 0 ? 0 : epochBusy.size() / epochs; }

  /// The position of `epoch` within its phase, from 0. Absent before the first phase, after the
  /// last one, and if phases are unknown.
  [[nodiscard]] std::optional<uint32_t> positionInPhase(uint32_t epoch) const;

  /// Returns an Error that names an impossible value, such as a block that ends before it starts,
  /// or more resident time than the multiprocessor was active.
  [[nodiscard]] Status check() const;
  bool operator==(const Timeline&) const = default;
};

}  // namespace tilestep::trace
