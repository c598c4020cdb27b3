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

/// The sums of a lab beside one another: what each of them costs for the same elements. Their times
/// are those of the lab (features/lab_times).
namespace tilestep::features {

/// How many elements are summed where the interpreter counts.
inline constexpr int64_t kCountedElements = 65'536;

struct SumRung {
  std::string kernel;   ///< "reduce_interleaved"
  std::string name;     ///< "reduce interleaved"
  std::string summary;  ///< From its front matter.
  std::optional<SumFigures> counts;
  std::string trouble;  ///< Why there are no counts; empty: they are there, or on their way.
};

struct SumLadder {
  std::vector<SumRung> rungs;
};

/// Runs one kernel after the other in the interpreter, for its counts.
class SumLadderRuns {
 public:
  /// Begins anew where the kernels are others; true where it did.
  bool open(const std::vector<compile::CatalogueEntry>& kernels);
  [[nodiscard]] const SumLadder& ladder() const { return ladder_; }
  /// The next run; nothing where all are there.
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
