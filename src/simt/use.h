// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// A launch's use of memory, from its checked accesses. Plain data only, as in machine.h.
namespace tilestep::simt {

/// How a launch used a byte: by atomic operations for the threads of the device; by operations
/// through which threads may communicate with each other and with the host (volatile, with a memory
/// order, or with system scope); by plain ones. Of several, the largest counts.
constexpr uint8_t kAtomicUse = 1, kSpeakingUse = 2, kPlainUse = 3;
constexpr unsigned kUsePageBits = 12;

/// One byte for each byte of a range of memory, 0 or its use; null: not requested. The caller
/// initialises them to 0.
struct ByteUse {
  uint8_t* read = nullptr;
  uint8_t* written = nullptr;
  uint8_t* pages = nullptr;  ///< One byte for each 2^kUsePageBits bytes: 1 if any of them was used.
};

/// The cost of one instruction's requests. Units: sectors of 32 bytes of global memory, or
/// wavefronts of shared memory.
struct RequestUse {
  uint64_t requests = 0, units = 0;
  uint64_t fewest = 0;  ///< Units, if each request's distinct bytes were adjacent.
  bool isShared = false;
  uint32_t region = 0;  ///< In global memory: that of the latest request.
};

/// The threads' use of shared memory.
struct SharedUse {
  uint64_t reads = 0, writes = 0;  ///< Of lanes.
  /// Some thread accessed what another one wrote, or may have: an atomic operation or a matrix
  /// load.
  bool passes = false;
};

}  // namespace tilestep::simt
