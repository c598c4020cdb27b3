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

/// Counts a grid by classes of its warps. First every thread writes down its signature, and warps
/// with equal ones become a class. Then one warp of each class, the exemplar, logs what it does,
/// and its counts stand for those of all.
namespace tilestep::cuda {

/// Runs the rewritten launches of one job (ptx/rewrite/instrument_counting.h) and owns the memory
/// that they write into: a GPU in the program, the interpreter in tests. `launch` is the number of
/// a launch. Each call may wait for the machine. An Error is the machine's.
class CountingMachine {
 public:
  CountingMachine() = default;
  CountingMachine(const CountingMachine&) = delete;
  CountingMachine& operator=(const CountingMachine&) = delete;
  virtual ~CountingMachine() = default;

  /// How much memory signatures and logs may take.
  [[nodiscard]] virtual uint64_t signatureBytes() const = 0;
  [[nodiscard]] virtual uint64_t logBytes() const = 0;

  /// Makes the operands what they are before the first launch.
  virtual Status restart() = 0;
  /// Runs a launch of which `blocks` blocks, from number `first` on, write signatures.
  virtual Status sign(size_t launch, uint32_t first, uint32_t blocks) = 0;
  /// Two words for each of the first `warps` warps that wrote signatures in the last `sign`. They
  /// are equal for equal signatures.
  virtual Result<std::vector<uint64_t>> keys(size_t launch, uint64_t warps) = 0;
  /// Runs a launch with exemplars, of which there may be none. `places` says for each warp of the
  /// grid which exemplar it is (ptx::ExemplarLog), and `rooms` for each exemplar how many words
  /// each of its lanes may log.
  virtual Status log(size_t launch, const std::vector<uint32_t>& places,
                     const std::vector<uint64_t>& rooms) = 0;
  /// What each exemplar logged in the last `log`, apart from WarpLog::lanes.
  virtual Result<std::vector<WarpLog>> logs() = 0;
};

/// One launch of the job. The entry must outlive the counting.
struct CountedLaunch {
  Launch launch;
  const ptx::CountedEntry* entry = nullptr;
  /// Its blocks do not depend on each other and nothing runs after it, so blocks without an
  /// exemplar may be left out.
  bool mayLeaveOut = false;
};

struct GridCount {
  trace::GridCounters counters;  ///< Of all launches together.
  trace::BranchLines branches;   ///< Of all launches together.
  uint64_t warps = 0, classes = 0;
  uint64_t logBytes = 0;  ///< What the exemplars logged.
  /// The logarithm to base 2 of a bound on the probability that two different warps were taken for
  /// equal.
  double mistakeLog2 = 0;
};

/// Where mistakeLog2 would be above this, there are no counts.
constexpr double kMostMistake = -60;

/// Counts all launches of a job. Several threads of the host count, and the machine is used by the
/// calling one alone. An Error says what stood in the way: the machine, a
/// log that contradicts the program, logs that take too much memory, or a mistakeLog2 above
/// kMostMistake.
Result<GridCount> countGrid(CountingMachine& machine, const std::vector<CountedLaunch>& launches);

}  // namespace tilestep::cuda
