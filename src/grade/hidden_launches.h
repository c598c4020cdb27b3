// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "compile/kernel.h"
#include "grade/rules.h"

namespace tilestep::grade {

/// A launch that submissions are run at.
struct HiddenLaunch {
  compile::Bindings sizes, tunables;  ///< All of the kernel's.
  uint64_t seed = 0;                  ///< Of the operands' data.
  /// Of the interpreter's blocks, warps and lanes. Where a legal grid can outgrow every GPU, some
  /// orders have the highest bit: few blocks are resident (simt/grid.h, kFewResident).
  uint64_t order = 0;
  double operations = 0;
  uint64_t elements = 0;    ///< Of all operands.
  bool atDefaults = false;  ///< The tunables have their default values.
  bool operator==(const HiddenLaunch&) const = default;
};

/// Those that the rules name, then those that are drawn. All of it follows from `seed`, the same
/// on every machine. Drawn sizes look for what kernels forget: one element, whole blocks and one
/// element less or more, sides that differ a lot, primes. Drawn tunables are the defaults, the
/// greatest values, the least ones and another choice. Where counts are marked, the first one drawn
/// has the default tunables and several blocks each way. A launch that the kernel's rules forbid,
/// or that is large, is not drawn. Errors: no launch could be drawn where some were asked for.
Result<std::vector<HiddenLaunch>> hiddenLaunches(const compile::KernelSpec& kernel,
                                                 const Rules& rules, uint64_t seed);

/// Whether what submissions must compute follows from the seed, and from more than sizes and
/// tunables: from operands that are filled at random. Else a submission may write the results by
/// heart.
[[nodiscard]] bool hidesResults(const compile::KernelSpec& kernel);

/// What a teacher is told of a kernel whose results are not hidden.
inline constexpr const char* kResultsAreKnown =
    "the results follow from sizes and tunables alone, so that a kernel may write them without "
    "reading its data; an operand that is filled at random, and named in expect, prevents that";

/// "m = 17, n = 33, TILE_WIDTH = 8"
[[nodiscard]] std::string toText(const HiddenLaunch& launch);

/// The command that runs a file at the launch with the same data: "tilestep run mine.cu --spec …".
[[nodiscard]] std::string commandFor(const std::string& file, const std::string& spec,
                                     const HiddenLaunch& launch);

}  // namespace tilestep::grade
