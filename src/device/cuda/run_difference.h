// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "device/device.h"

/// Runs of one job that give different results.
namespace tilestep::cuda {

using Outputs = std::vector<std::vector<std::byte>>;

/// The difference between two runs' outputs, in the first operand that differs.
struct RunDifference {
  std::string operand;
  uint64_t first = 0;  ///< The first differing element.
  uint64_t count = 0, elements = 0;
};
[[nodiscard]] std::optional<RunDifference> differenceOf(const device::Job& job, const Outputs& one,
                                                        const Outputs& other);

/// Whether the module has floating-point atomic additions. Their order varies and affects the last
/// bits, so the results of correct kernels differ from run to run.
[[nodiscard]] bool addsFloatsAtomically(const ptx::Module& module);

/// The fault to report. `kind` is the rewritten version with a different result ("counting");
/// `plainDiffer` means that runs of the plain kernel differ as well.
[[nodiscard]] device::Fault differingResults(const device::Job& job, const std::string& names,
                                             const std::string& kind, bool plainDiffer,
                                             const RunDifference& difference);

}  // namespace tilestep::cuda
