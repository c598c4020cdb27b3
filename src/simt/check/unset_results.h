// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "ptx/ir.h"

namespace tilestep::simt {

/// The bits of a value of this type in its row: a predicate takes a word.
[[nodiscard]] int64_t bitsInRow(ptx::Type type);
/// The `count` lowest bits, at most 64.
[[nodiscard]] uint64_t lowestBits(int64_t count);
/// The `count` lowest of `bits`, with the highest of those in all bits above it.
[[nodiscard]] uint64_t signExtended(uint64_t bits, int64_t count);

/// A source of an operation: its value, and which of its bits have no value.
struct UnsetSource {
  uint64_t value = 0;
  uint64_t unset = 0;
};

/// The sources of an operation, cut to its width.
struct UnsetSources {
  UnsetSource a, b, c;
  int64_t bits = 64;  ///< Width of the operation.
  int64_t form = 0;   ///< UnsetRule::form.
};

/// Which bits of a result have no value. Bits beyond the result's width do not count.
using UnsetResult = uint64_t (*)(const UnsetSources&);

/// How an operation's result follows from its sources.
struct UnsetRule {
  UnsetResult result = nullptr;
  int64_t bits = 64;        ///< Width of the operation.
  int64_t form = 0;         ///< Further properties from the operation's text.
  bool usesValues = false;  ///< UnsetSource::value counts.
  int64_t resultBits = 64;  ///< Width of the register that takes the result.
};

/// For operations with a more precise rule than anyUnset(); none for others, and for selp and
/// vectors. Source operands are in their order; the predicate combined with a comparison is `c`.
[[nodiscard]] std::optional<UnsetRule> chooseUnsetResult(const ptx::Instruction& instruction);

/// The number c of bits of a from bit b on.
[[nodiscard]] UnsetRule unsetPart();

/// All bits of the result, if any bit of a source has no value.
[[nodiscard]] uint64_t anyUnset(const UnsetSources& sources);

}  // namespace tilestep::simt
