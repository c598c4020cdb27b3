// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "device/cuda/trace/log_replay.h"
#include "trace/event.h"

namespace tilestep::cuda {

/// Maps a GPU's addresses to the names and offsets used in recordings.
class TracedMemory {
 public:
  struct Place {
    trace::Space space = trace::Space::none;
    int16_t buffer = -1;
    uint32_t offset = 0;
    bool operator==(const Place&) const = default;
  };

  /// `addresses`: see ThreadLogs.
  TracedMemory(const TracedLaunch& traced, const ptx::TraceLog& log,
               const std::vector<uint64_t>& addresses);

  /// Space::none for memory outside all operands and variables.
  [[nodiscard]] Place locate(ptx::Space space, uint64_t address, uint32_t bytes) const;
  [[nodiscard]] const std::vector<trace::SharedArray>& sharedArrays() const { return arrays_; }

 private:
  /// A shared variable: its address on the GPU, and its offset in recordings.
  struct Variable {
    uint64_t at = 0;
    uint32_t offset = 0;
    uint32_t bytes = 0;
  };
  [[nodiscard]] Place locateShared(uint64_t address, uint32_t bytes) const;

  uint64_t window_ = 0;  ///< Generic address of shared memory.
  uint32_t sharedBytes_ = 0;
  std::vector<Variable> variables_;
  std::vector<GlobalPiece> pieces_;
  std::vector<trace::SharedArray> arrays_;
};

}  // namespace tilestep::cuda
