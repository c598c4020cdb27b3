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

/// Compares a lab's sums by their cost for the same elements. lab_times provides the times.
namespace tilestep::features {

/// The number of elements that the interpreter adds up to obtain the counts.
inline constexpr int64_t kCountedElements = 65'536;

struct SumRung {
  std::string kernel;   ///< "reduce_interleaved"
  std::string name;     ///< "reduce interleaved"
  std::string summary;  ///< From the kernel's front matter.
  std::optional<SumFigures> counts;
  /// The reason why there are no counts; empty if they are available or pending.
  std::string trouble;
};

struct SumLadder {
  std::vector<SumRung> rungs;
};

/// Runs the kernels one after another in the interpreter, to obtain their counts.
class SumLadderRuns {
 public:
  /// Starts again if the kernels have changed. Returns whether it did.
  bool open(const std::vector<compile::CatalogueEntry>& kernels);
  [[nodiscard]] const SumLadder& ladder() const { return ladder_; }
  /// The next run; absent if all are complete.
  [[nodiscard]] std::optional<Request> wanted() const;
  /// Stores the answer to the wanted run.
  void accept(const lab::RunResult& result);
  void acceptError(const std::string& message);

 private:
  SumLadder ladder_;
  std::vector<compile::CatalogueEntry> kernels_;
  size_t next_ = 0;
};

}  // namespace tilestep::features
