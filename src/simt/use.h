// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// A launch's use of memory, from its checked accesses. Plain data, as in machine.h.
namespace tilestep::simt {

/// How a launch used a byte: by atomic operations of device scope or narrower, by operations that
/// can communicate with other threads and the host (volatile, with a memory order, or of system
/// scope), or by plain accesses. The largest value counts.
constexpr uint8_t kAtomicUse = 1, kSpeakingUse = 2, kPlainUse = 3;
constexpr unsigned kUsePageBits = 12;

/// For each byte of a range of memory, one byte with its use, or 0 if unused. The caller
/// initialises the bytes to 0. Pointers are null if not requested.
struct ByteUse {
  uint8_t* read = nullptr;
  uint8_t* written = nullptr;
  uint8_t* pages = nullptr;  ///< One byte for each 2^kUsePageBits bytes: 1 if any of them was used.
};

/// The cost of one instruction's requests. Units: sectors of 32 bytes of global memory, or
/// wavefronts of shared memory.
struct RequestUse {
  uint64_t requests = 0, units = 0;
  uint64_t fewest = 0;  ///< The units needed if each request's distinct bytes were adjacent.
  bool isShared = false;
  uint32_t region = 0;  ///< In global memory: the region of the latest request.
};

/// The threads' use of shared memory.
struct SharedUse {
  uint64_t reads = 0, writes = 0;  ///< Lanes' accesses.
  /// Some thread accessed data written by another, or may have done so by an atomic operation or a
  /// matrix load.
  bool passes = false;
};

}  // namespace tilestep::simt
