// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "compile/kernel.h"
#include "grade/rules.h"

namespace tilestep::grade {

/// A launch at which submissions are run.
struct HiddenLaunch {
  compile::Bindings sizes, tunables;  ///< All sizes and tunables of the kernel.
  uint64_t seed = 0;                  ///< For the operands' data.
  /// For the order of blocks, warps and lanes in the interpreter. If a legal grid can outgrow every
  /// GPU, some orders have the highest bit set, so that few blocks are resident (simt/grid.h,
  /// kFewResident).
  uint64_t order = 0;
  double operations = 0;
  uint64_t elements = 0;    ///< The sum over all operands.
  bool atDefaults = false;  ///< The tunables have their default values.
  bool operator==(const HiddenLaunch&) const = default;
};

/// The launches that the rules name, then drawn launches, which depend only on `seed` and are the
/// same on every machine. Drawn sizes are those that kernels often get wrong: one element, whole
/// blocks and one element less or more, very different sides, primes. Drawn tunables are the
/// defaults, the greatest values, the least values and others. If counts are marked, the first
/// drawn launch has the default tunables and several blocks in each direction. No drawn launch is
/// large or breaks the kernel's rules. Error: launches should be drawn, but none is legal.
Result<std::vector<HiddenLaunch>> hiddenLaunches(const compile::KernelSpec& kernel,
                                                 const Rules& rules, uint64_t seed);

/// Whether results depend on randomly filled operands. If they do not, a submission could write
/// them without reading its data.
[[nodiscard]] bool hidesResults(const compile::KernelSpec& kernel);

/// A warning for the teacher if hidesResults() is false.
inline constexpr const char* kResultsAreKnown =
    "the results follow from sizes and tunables alone, so a kernel could write them without "
    "reading its data; to prevent that, fill an operand at random and name it in expect";

/// "m = 17, n = 33, TILE_WIDTH = 8"
[[nodiscard]] std::string toText(const HiddenLaunch& launch);

/// The command that runs a file at the launch with the same data: "tilestep run mine.cu --spec …".
[[nodiscard]] std::string commandFor(const std::string& file, const std::string& spec,
                                     const HiddenLaunch& launch);

}  // namespace tilestep::grade
