// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// How many blocks fit on one multiprocessor (SM), and what prevents the next one. Pure.
/// Source: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability" and
/// "Hardware Multithreading": registers are allocated in units of 256 per warp within each of the
/// SM's four partitions (two on 2.x and 6.0; units of 64 on 2.x), or 256 (1.0, 1.1) and 512
/// (1.2, 1.3) per block of an even number of warps; shared memory in units of 128 bytes (8.0 up),
/// 256 (3.0 to 7.5), 128 (2.x) and 512 (1.x); from 8.0 on each block has 1 KB reserved.
namespace tilestep::metrics {

/// One SM and its limits for a block; 0 if unknown (that resource then limits nothing).
struct Multiprocessor {
  int major = 0, minor = 0;  ///< Compute capability.
  uint32_t threads = 0;
  uint32_t blocks = 0;
  uint32_t registers = 0;
  uint32_t sharedBytes = 0;
  uint32_t sharedBytesReservedPerBlock = 0;
  uint32_t threadsPerBlock = 0;
  uint32_t sharedBytesPerBlock = 0;  ///< The opt-in maximum.
  uint32_t registersPerBlock = 0;    ///< 0: as many as the SM has.
};

struct BlockNeeds {
  uint32_t threads = 1;
  uint32_t registersPerThread = 0;
  uint32_t sharedBytes = 0;  ///< Static and dynamic.
  /// Bytes of the kernel's parameters, which are in shared memory on 1.x. 0: not counted.
  uint32_t argumentBytes = 0;
};

/// One resource: the number of blocks that it alone would allow, and its use by a block.
struct ResourceLimit {
  std::string name;  ///< "threads", "registers", "shared memory", "blocks"
  uint32_t blocks = 0;
  uint64_t takenPerBlock = 0;  ///< After rounding up, in the resource's unit.
  uint64_t available = 0;
  uint64_t askedPerBlock = 0;   ///< As specified by the program, without rounding or reservation.
  uint32_t textbookBlocks = 0;  ///< available / askedPerBlock, rounded down: the textbook's limit.
};

struct Occupancy {
  std::vector<ResourceLimit> limits;  ///< The known resources, in the order of their names above.
  uint32_t blocks = 0;                ///< Resident blocks: the smallest of the limits.
  uint32_t warps = 0;                 ///< Resident warps.
  uint32_t warpsMax = 0;
  std::vector<std::string> limiters;  ///< The resources that allow no more than `blocks`.
  std::string refusal;                ///< Why the block cannot run at all; else empty.
  uint32_t textbookBlocks = 0;        ///< The smallest of the textbook limits.

  /// warps / warpsMax, 0 to 1.
  [[nodiscard]] double ratio() const;
};

/// "9.0" to {9, 0}; nothing for other text.
struct ComputeCapability {
  int major = 0, minor = 0;
};
[[nodiscard]] std::optional<ComputeCapability> parseComputeCapability(const std::string& text);

[[nodiscard]] Occupancy occupancy(const Multiprocessor& device, const BlockNeeds& block);

/// Only the resident warps, for curves; 0 if the block cannot run.
[[nodiscard]] uint32_t residentWarps(const Multiprocessor& device, const BlockNeeds& block);

/// The most registers that a thread can have: 124 (1.x), 63 (2.x, 3.0), 255.
[[nodiscard]] uint32_t maxRegistersPerThread(const Multiprocessor& device);
/// The allocation granularity of shared memory, in bytes.
[[nodiscard]] uint32_t sharedUnit(const Multiprocessor& device);
/// The allocation granularity of registers, per warp or (1.x) per block.
[[nodiscard]] uint32_t registerUnit(const Multiprocessor& device);

/// The registers allocated to one warp, or on 1.x to one block.
[[nodiscard]] uint64_t allocatedRegisters(const Multiprocessor& device, const BlockNeeds& block);
/// The shared bytes allocated to one block, including reserved ones.
[[nodiscard]] uint64_t allocatedSharedBytes(const Multiprocessor& device, const BlockNeeds& block);

}  // namespace tilestep::metrics
