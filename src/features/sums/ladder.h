// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compile/kernel.h"
#include "features/names.h"
#include "features/sums/text.h"
#include "lab/experiment.h"
#include "model/jobs.h"

/// A comparison of a lab's sums: the cost of each for the same elements. Their times are those of
/// the lab (features/lab_times).
namespace tilestep::features {

/// The number of elements that the interpreter sums for the counts.
inline constexpr int64_t kCountedElements = 65'536;

struct SumRung {
  std::string kernel;   ///< "reduce_interleaved"
  std::string name;     ///< "reduce interleaved"
  std::string summary;  ///< From its front matter.
  std::optional<SumFigures> counts;
  /// The reason why there are no counts; empty: they are available or pending.
  std::string trouble;
};

struct SumLadder {
  std::vector<SumRung> rungs;
};

/// Runs one kernel after the other in the interpreter, for its counts.
class SumLadderRuns {
 public:
  /// Starts again if the kernels have changed; true if it did.
  bool open(const std::vector<compile::CatalogueEntry>& kernels);
  [[nodiscard]] const SumLadder& ladder() const { return ladder_; }
  /// The next run; absent if all are complete.
  [[nodiscard]] std::optional<Request> wanted() const;
  /// The answer to the wanted run.
  void accept(const lab::RunResult& result);
  void acceptError(const std::string& message);

 private:
  SumLadder ladder_;
  std::vector<compile::CatalogueEntry> kernels_;
  size_t next_ = 0;
};

}  // namespace tilestep::features
