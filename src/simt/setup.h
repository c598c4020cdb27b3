// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

#include "simt/address_map.h"
#include "simt/check/sites.h"
#include "simt/grid.h"
#include "simt/run/device_heap.h"

namespace tilestep::simt {

/// A variable of the module that is not an operand.
struct OwnVariable {
  const ptx::Variable* variable = nullptr;
  size_t region = 0;
  std::vector<uint8_t> bytes;  ///< Empty until allocateVariables().
};

/// An address in the initial value of a region.
struct InitialPointer {
  size_t region = 0;
  uint64_t at = 0;
  unsigned bytes = 8;
  uint64_t address = 0;
};

/// The data that all workers of a launch share. Constant except for the atomics.
struct Setup {
  const GridRequest* request = nullptr;
  Program program;
  const Engine* engine = nullptr;
  std::vector<Region> regions;
  AddressMap map;  ///< Of the regions.
  std::vector<OwnVariable> variables;
  std::vector<InitialPointer> pointers;
  std::vector<std::string> regionNames;
  std::vector<uint8_t> parameterBlock;
  uint32_t sharedBytes = 0;
  std::vector<trace::SharedArray> sharedArrays;  ///< As named in the recording.
  CheckPlan checks;                              ///< With the request's `check`.

  /// It has loops that may wait for other threads.
  bool mayWait = false;
  /// Blocks make room for each other between their accesses.
  bool interleaves = false;
  /// More blocks may have begun than there are host threads.
  [[nodiscard]] bool putsAside() const { return mayWait || interleaves; }
  std::vector<uint8_t> workspace;  ///< Cooperative launches: where grid.sync() counts.
  uint64_t workspaceAddress = 0;   ///< 0: the launch is not cooperative.

  std::atomic<uint64_t> nextBlock{0};
  std::atomic<uint64_t> resident{0};  ///< Blocks that have begun, if some are suspended.
  uint64_t mostInterleaved = 0;       ///< The most blocks that make room for each other.
  std::atomic<uint64_t> executed{0};  ///< Instructions of all warps, if they are limited.
  DeviceHeap heap;
  uint32_t stop = 0;  ///< Read and written atomically; not 0: end soon.
};

/// Checks the request against the module and decodes it. If Setup::program.refused is not empty,
/// nothing is prepared for the run. Allocates no variable of the module, because a caller may still
/// compute the memory they need.
Status prepare(const GridRequest& request, Setup& setup);
/// Gives the variables their memory and their initial values, or the values in `kept` (may be null)
/// from an earlier launch.
void allocateVariables(Setup& setup, std::vector<std::vector<uint8_t>>* kept);
/// Runs a prepared launch, once; runGrid (grid.h) does both.
Result<GridResult> runPrepared(const GridRequest& request, Setup& setup,
                               const std::function<bool()>& cancelled);

void requestStop(Setup& setup);
[[nodiscard]] bool stopRequested(const Setup& setup);

}  // namespace tilestep::simt
