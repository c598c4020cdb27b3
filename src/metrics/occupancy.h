// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// How many blocks fit on a multiprocessor (SM), and what prevents another block. Pure.
/// Source: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability" and
/// "Hardware Multithreading".
/// Registers are allocated per warp, in units of 256 (64 on 2.x), from one of the SM's four
/// partitions (two on 2.x and 6.0). On 1.x they are allocated per block, for an even number of
/// warps, in units of 256 (1.0, 1.1) or 512 (1.2, 1.3).
/// Shared memory is allocated in units of 128 bytes (2.x, from 8.0 on), 256 (3.0 to 7.5) or 512
/// (1.x). From 8.0 on, 1 KB is reserved for each block.
namespace tilestep::metrics {

/// An SM and its limits for a block. A value is 0 if unknown, so that the resource limits nothing.
struct Multiprocessor {
  int major = 0, minor = 0;  ///< Compute capability.
  uint32_t threads = 0;
  uint32_t blocks = 0;
  uint32_t registers = 0;
  uint32_t sharedBytes = 0;
  uint32_t sharedBytesReservedPerBlock = 0;
  uint32_t threadsPerBlock = 0;
  uint32_t sharedBytesPerBlock = 0;  ///< The opt-in maximum.
  uint32_t registersPerBlock = 0;    ///< 0 if as many as the SM has.
};

struct BlockNeeds {
  uint32_t threads = 1;
  uint32_t registersPerThread = 0;
  uint32_t sharedBytes = 0;  ///< Static and dynamic.
  /// Bytes of the kernel's parameters, which are in shared memory on 1.x. 0 if not counted.
  uint32_t argumentBytes = 0;
};

/// A resource's use by a block, and the number of blocks that it alone would allow.
struct ResourceLimit {
  std::string name;  ///< "threads", "registers", "shared memory", "blocks"
  uint32_t blocks = 0;
  uint64_t takenPerBlock = 0;  ///< Rounded up to the allocation unit.
  uint64_t available = 0;
  uint64_t askedPerBlock = 0;   ///< As specified by the program, without rounding or reservation.
  uint32_t textbookBlocks = 0;  ///< The textbook's limit, available / askedPerBlock, rounded down.
};

struct Occupancy {
  std::vector<ResourceLimit> limits;  ///< The known resources, in the order of ResourceLimit::name.
  uint32_t blocks = 0;                ///< Resident blocks: the smallest of the limits.
  uint32_t warps = 0;                 ///< Resident warps.
  uint32_t warpsMax = 0;
  std::vector<std::string> limiters;  ///< The resources that allow no more than `blocks`.
  std::string refusal;                ///< Why the block cannot run; empty if it can.
  uint32_t textbookBlocks = 0;        ///< The smallest of the textbook limits.

  /// warps / warpsMax, 0 to 1.
  [[nodiscard]] double ratio() const;
};

/// Parses "9.0" into {9, 0}; returns nothing for invalid text.
struct ComputeCapability {
  int major = 0, minor = 0;
};
[[nodiscard]] std::optional<ComputeCapability> parseComputeCapability(const std::string& text);

[[nodiscard]] Occupancy occupancy(const Multiprocessor& device, const BlockNeeds& block);

/// Occupancy::warps alone, for curves; 0 if the block cannot run.
[[nodiscard]] uint32_t residentWarps(const Multiprocessor& device, const BlockNeeds& block);

/// The most registers that a thread can have: 124 on 1.x, 63 on 2.x and 3.0, else 255.
[[nodiscard]] uint32_t maxRegistersPerThread(const Multiprocessor& device);
/// The allocation granularity of shared memory, in bytes.
[[nodiscard]] uint32_t sharedUnit(const Multiprocessor& device);
/// The allocation granularity of registers, per warp or, on 1.x, per block.
[[nodiscard]] uint32_t registerUnit(const Multiprocessor& device);

/// The registers allocated to a warp or, on 1.x, to a block.
[[nodiscard]] uint64_t allocatedRegisters(const Multiprocessor& device, const BlockNeeds& block);
/// The bytes of shared memory allocated to a block, including reserved bytes.
[[nodiscard]] uint64_t allocatedSharedBytes(const Multiprocessor& device, const BlockNeeds& block);

}  // namespace tilestep::metrics
