// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/launch.h"
#include "base/result.h"
#include "device/cuda/counting/warp_counts.h"
#include "ptx/rewrite/instrument_counting.h"
#include "trace/branch_lines.h"
#include "trace/counters.h"

/// Counts a grid by classes of its warps. First every thread writes its signature; warps with equal
/// signatures form a class. Then one warp of each class, the exemplar, logs its execution, and its
/// counts are used for the whole class.
namespace tilestep::cuda {

/// Runs the rewritten launches of one job (ptx/rewrite/instrument_counting.h) and owns their
/// counting buffers. In the program this is a GPU, in tests the interpreter. `launch` is the index
/// of a launch. Each call may wait for the machine. Errors come from the machine.
class CountingMachine {
 public:
  CountingMachine() = default;
  CountingMachine(const CountingMachine&) = delete;
  CountingMachine& operator=(const CountingMachine&) = delete;
  virtual ~CountingMachine() = default;

  /// The memory limits for signatures and logs.
  [[nodiscard]] virtual uint64_t signatureBytes() const = 0;
  [[nodiscard]] virtual uint64_t logBytes() const = 0;

  /// Restores the operands to their state before the first launch.
  virtual Status restart() = 0;
  /// Runs a launch in which `blocks` blocks, starting at index `first`, write signatures.
  virtual Status sign(size_t launch, uint32_t first, uint32_t blocks) = 0;
  /// Two words for each of the first `warps` warps that wrote signatures in the last sign(). Warps
  /// with equal signatures have equal words.
  virtual Result<std::vector<uint64_t>> keys(size_t launch, uint64_t warps) = 0;
  /// Runs a launch with any number of exemplars. `places`: for each warp of the grid, its
  /// index among the exemplars if it is an exemplar (ptx::ExemplarLog). `rooms`: for each exemplar,
  /// the number of words that each of its lanes may log.
  virtual Status log(size_t launch, const std::vector<uint32_t>& places,
                     const std::vector<uint64_t>& rooms) = 0;
  /// The logs of the exemplars of the last log(), without WarpLog::lanes.
  virtual Result<std::vector<WarpLog>> logs() = 0;
};

/// One launch of the job. The entry must outlive the counting.
struct CountedLaunch {
  Launch launch;
  const ptx::CountedEntry* entry = nullptr;
  /// Blocks without an exemplar may be skipped, because blocks are independent and no launch
  /// follows.
  bool mayLeaveOut = false;
};

struct GridCount {
  trace::GridCounters counters;  ///< The sum over all launches.
  trace::BranchLines branches;   ///< The union over all launches.
  uint64_t warps = 0, classes = 0;
  uint64_t logBytes = 0;  ///< The size of the exemplars' logs.
  /// The base-2 logarithm of a bound on the probability that two different warps were put into one
  /// class.
  double mistakeLog2 = 0;
};

/// No counts are returned if mistakeLog2 would exceed this.
constexpr double kMostMistake = -60;

/// Counts all launches of a job. Uses several host threads for counting, but uses the machine only
/// on the calling thread. Errors: the machine's, a log that contradicts the program, logs that need
/// too much memory, or a mistakeLog2 above kMostMistake.
Result<GridCount> countGrid(CountingMachine& machine, const std::vector<CountedLaunch>& launches);

}  // namespace tilestep::cuda
