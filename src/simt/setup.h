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

/// The data that all workers of a launch share. Only the atomics change while it runs.
struct Setup {
  const GridRequest* request = nullptr;
  Program program;
  const Engine* engine = nullptr;
  std::vector<Region> regions;
  AddressMap map;
  std::vector<OwnVariable> variables;
  std::vector<InitialPointer> pointers;
  std::vector<std::string> regionNames;
  std::vector<uint8_t> parameterBlock;
  uint32_t sharedBytes = 0;
  std::vector<trace::SharedArray> sharedArrays;  ///< As named in the recording.
  CheckPlan checks;                              ///< With the request's `check`.

  bool mayWait = false;      ///< The program has loops that may wait for other threads.
  bool interleaves = false;  ///< Blocks are suspended between their accesses so that others run.
  /// Whether blocks can be suspended, so more blocks may have begun than there are host threads.
  [[nodiscard]] bool putsAside() const { return mayWait || interleaves; }
  std::vector<uint8_t> workspace;  ///< In a cooperative launch, where grid.sync() counts.
  uint64_t workspaceAddress = 0;   ///< 0 if the launch is not cooperative.

  std::atomic<uint64_t> nextBlock{0};
  std::atomic<uint64_t> resident{0};  ///< Begun, unfinished blocks, if blocks may be suspended.
  uint64_t mostInterleaved = 0;  ///< A block is suspended only if at most this many are resident.
  std::atomic<uint64_t> executed{0};  ///< Instructions of all warps, if limited.
  DeviceHeap heap;
  uint32_t stop = 0;  ///< Read and written atomically; if not 0, workers end soon.
};

/// Checks the request against the module and decodes it. If Setup::program.refused is not empty
/// afterwards, the launch must not run. Does not allocate the module's variables, because the
/// caller may first compute how much memory they need.
Status prepare(const GridRequest& request, Setup& setup);
/// Allocates the module's variables, with their initial values or with the values in `kept` (may be
/// null) from an earlier launch.
void allocateVariables(Setup& setup, std::vector<std::vector<uint8_t>>* kept);
/// Runs a prepared launch, once. runGrid (grid.h) prepares and runs.
Result<GridResult> runPrepared(const GridRequest& request, Setup& setup,
                               const std::function<bool()>& cancelled);

void requestStop(Setup& setup);
[[nodiscard]] bool stopRequested(const Setup& setup);

}  // namespace tilestep::simt
