// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "features/names.h"
#include "features/sums/tree.h"
#include "lab/experiment.h"
#include "model/scene/traced_kernel.h"

namespace tilestep::features {

/// "load", "distance 4", "result".
[[nodiscard]] std::string rowName(const SumRow& row);
/// Every distance of the row: "8, 24"; empty if nothing is added.
[[nodiscard]] std::string distancesText(const SumRow& row);
/// Three significant digits: "0.125".
[[nodiscard]] std::string sumText(double value);
/// "sums[0] = sums[0] + sums[4] = 0.12 + 0.3 = 0.42"; a long sum is abbreviated.
[[nodiscard]] std::string termsText(const TracedKernel& kernel, const SumTree& tree,
                                    const Sum& sum);

/// The last row with an event up to `event`; absent before the first row.
[[nodiscard]] std::optional<size_t> rowUpTo(const SumTree& tree, uint32_t event);
/// The row's sum that serves as an example: the followed thread's, otherwise the first needed.
[[nodiscard]] const Sum* exampleOf(const SumTree& tree, const SumRow& row,
                                   std::optional<uint32_t> thread);
[[nodiscard]] std::string rowSentence(const TracedKernel& kernel, const SumTree& tree,
                                      const SumRow& row, std::optional<uint32_t> thread);

/// The cost of a launch, counted by the interpreter.
struct SumFigures {
  uint64_t warpInstructions = 0, barriers = 0;
  double activeLanes = 1;  ///< Thread instructions / (32 * warp instructions).
  uint64_t conflicts = 0;  ///< Bank conflicts of loads and stores.
  uint64_t sectors = 0;    ///< Global sectors of loads and stores.
};
/// Absent if warp instructions were not counted, as on a GPU.
[[nodiscard]] std::optional<SumFigures> sumFiguresOf(const lab::RunResult& result);

}  // namespace tilestep::features
