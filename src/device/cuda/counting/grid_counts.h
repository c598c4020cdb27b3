// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/launch.h"
#include "base/result.h"
#include "device/cuda/counting/warp_counts.h"
#include "ptx/rewrite/instrument_counting.h"
#include "trace/counters.h"

/// Counts a grid by its warps' classes. First every thread writes down its signature, and warps
/// with equal ones become a class. Then one warp of each class, the exemplar, logs what it does,
/// and its counts stand for those of all.
namespace tilestep::cuda {

/// A program that writes signatures and logs exemplars, ready to run, and the memory that it writes
/// into. A GPU in the program, the interpreter in tests.
class CountingMachine {
 public:
  CountingMachine() = default;
  CountingMachine(const CountingMachine&) = delete;
  CountingMachine& operator=(const CountingMachine&) = delete;
  virtual ~CountingMachine() = default;

  /// Memory for signatures, and for logs.
  [[nodiscard]] virtual uint64_t signatureBytes() const = 0;
  [[nodiscard]] virtual uint64_t logBytes() const = 0;

  /// Operands become what they are before the first launch.
  virtual Status restart() = 0;
  /// Runs launch number `launch`. `blocks` of its blocks, from number `first` on, write signatures.
  virtual Status sign(size_t launch, uint32_t first, uint32_t blocks) = 0;
  /// Two words for each of the first `warps` warps that `sign` has just run, equal for equal
  /// signatures.
  virtual Result<std::vector<uint64_t>> keys(size_t launch, uint64_t warps) = 0;
  /// Runs a launch with exemplars: `places` as ptx::ExemplarLog says, and the words that a lane of
  /// each exemplar may write. There may be none.
  virtual Status log(size_t launch, const std::vector<uint32_t>& places,
                     const std::vector<uint64_t>& rooms) = 0;
  /// What the exemplars wrote in the last `log`.
  virtual Result<std::vector<WarpLog>> logs() = 0;
};

/// One launch of the job. The entry must outlive the counting.
struct CountedLaunch {
  Launch launch;
  const ptx::CountedEntry* entry = nullptr;
  /// Its blocks do not depend on each other and nothing runs after it, so that blocks without an
  /// exemplar may be left out.
  bool mayLeaveOut = false;
};

struct GridCount {
  trace::GridCounters counters;
  uint64_t warps = 0, classes = 0, logBytes = 0;
  /// The logarithm to base 2 of a bound on the probability that two different warps were taken for
  /// the same.
  double mistakeLog2 = 0;
};

/// An Error says what stood in the way: the machine, a log that is not that of the program, too
/// many classes for the memory that there is, or so long a way that mistakeLog2 would exceed
/// kMostMistake.
constexpr double kMostMistake = -60;
Result<GridCount> countGrid(CountingMachine& machine, const std::vector<CountedLaunch>& launches);

}  // namespace tilestep::cuda
