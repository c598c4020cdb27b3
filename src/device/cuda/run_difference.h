// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "device/device.h"

/// Runs of one job that give different results.
namespace tilestep::cuda {

using Outputs = std::vector<std::vector<std::byte>>;

/// Where two runs' outputs differ, by the first operand that does.
struct RunDifference {
  std::string operand;
  uint64_t first = 0;  ///< Element.
  uint64_t count = 0, elements = 0;
};
[[nodiscard]] std::optional<RunDifference> differenceOf(const device::Job& job, const Outputs& one,
                                                        const Outputs& other);

/// Floating-point atomic additions: the order in which the machine makes them decides the last
/// bits, so results of correct kernels differ from run to run.
[[nodiscard]] bool addsFloatsAtomically(const ptx::Module& module);

/// The finding. `kind` is the rewritten version that gave another result ("counting");
/// `plainDiffer` says that the plain kernel's own runs differ among themselves too.
[[nodiscard]] device::Fault differingResults(const device::Job& job, const std::string& names,
                                             const std::string& kind, bool plainDiffer,
                                             const RunDifference& difference);

}  // namespace tilestep::cuda
