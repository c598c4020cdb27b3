// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/launch.h"
#include "base/result.h"
#include "compile/kernel.h"
#include "lab/sweep.h"

/// The choices of tunables that an autotuner may try: all that satisfy ranges, rules and limits.
namespace tilestep::lab {

struct Candidate {
  std::vector<int64_t> values;  ///< In the order of the kernel's tunables.
  /// Threads per block and blocks of the launch; 0 if the kernel has several launches.
  uint64_t threads = 0, blocks = 0;
  uint32_t sharedBytes = 0;  ///< According to front matter.
};

struct Candidates {
  std::vector<Candidate> legal;  ///< The last tunable varies fastest.
  uint64_t combinations = 0;     ///< The number of combinations of the values below, legal or not.
  std::vector<std::vector<int64_t>> values;  ///< The values considered, by tunable, ascending.
  double operations = 0;  ///< The kernel's operations at these sizes; 0: unknown.
};

/// The most combinations that are considered.
constexpr uint64_t kMostCombinations = uint64_t{1} << 21;

/// The values to consider, by tunable: those of its axis in `chosen`; else all listed values, or
/// the whole range if it has at most 64 values and there are fewer than 4096 combinations; else the
/// range's powers of two, its default and its ends.
[[nodiscard]] std::vector<std::vector<int64_t>> tuningValues(const compile::KernelSpec& spec,
                                                             const std::vector<Axis>& chosen);

/// Errors: too many combinations, or no legal one (with the reason for the first).
Result<Candidates> candidatesOf(const compile::KernelSpec& spec, const compile::Bindings& sizes,
                                const std::vector<Axis>& chosen, const Limits& limits);

[[nodiscard]] compile::Bindings tunablesOf(const compile::KernelSpec& spec,
                                           const Candidate& candidate);

}  // namespace tilestep::lab
