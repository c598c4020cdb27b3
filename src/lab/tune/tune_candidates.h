// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/launch.h"
#include "base/result.h"
#include "compile/kernel.h"
#include "lab/sweep.h"

/// The choices of tunables that an autotuner may try: all that pass ranges, rules and limits.
namespace tilestep::lab {

struct Candidate {
  std::vector<int64_t> values;  ///< In the order of the kernel's tunables.
  /// Those of its launch. 0 if the kernel has several launches, which are not judged by them.
  uint64_t threads = 0, blocks = 0;
  uint32_t sharedBytes = 0;  ///< As front matter says.
};

struct Candidates {
  std::vector<Candidate> legal;              ///< The last tunable moves fastest.
  uint64_t combinations = 0;                 ///< Combinations of the values below, legal or not.
  std::vector<std::vector<int64_t>> values;  ///< Values considered, by tunable, ascending.
  double operations = 0;                     ///< The kernel's at these sizes; 0: not known.
};

/// Most combinations that are looked at.
constexpr uint64_t kMostCombinations = uint64_t{1} << 21;

/// The values that are looked at, by tunable: those of its axis in `chosen`; else all that it
/// lists, or all of its range where that has at most 64 and the combinations stay below 4096; else
/// its range's powers of two, its default and its ends.
[[nodiscard]] std::vector<std::vector<int64_t>> tuningValues(const compile::KernelSpec& spec,
                                                             const std::vector<Axis>& chosen);

/// Errors: too many combinations, or none is legal (then why the first is not).
Result<Candidates> candidatesOf(const compile::KernelSpec& spec, const compile::Bindings& sizes,
                                const std::vector<Axis>& chosen, const Limits& limits);

[[nodiscard]] compile::Bindings tunablesOf(const compile::KernelSpec& spec,
                                           const Candidate& candidate);

}  // namespace tilestep::lab
