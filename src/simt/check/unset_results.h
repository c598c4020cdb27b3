// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "ptx/ir.h"

namespace tilestep::simt {

/// The number of bits that a value of this type uses in a row. A predicate uses a word.
[[nodiscard]] int64_t bitsInRow(ptx::Type type);
/// A mask of the `count` lowest bits, at most 64.
[[nodiscard]] uint64_t lowestBits(int64_t count);
/// Sign-extends the `count` lowest bits of `bits`.
[[nodiscard]] uint64_t signExtended(uint64_t bits, int64_t count);

/// A source of an operation. `unset` is the mask of its bits without a value.
struct UnsetSource {
  uint64_t value = 0;
  uint64_t unset = 0;
};

/// The sources of an operation, truncated to its width.
struct UnsetSources {
  UnsetSource a, b, c;
  int64_t bits = 64;  ///< Width of the operation.
  int64_t form = 0;   ///< UnsetRule::form.
};

/// Computes the mask of the result's unset bits. Bits beyond the result's width are ignored.
using UnsetResult = uint64_t (*)(const UnsetSources&);

/// How the unset bits of an operation's result follow from its sources.
struct UnsetRule {
  UnsetResult result = nullptr;
  int64_t bits = 64;        ///< Width of the operation.
  int64_t form = 0;         ///< Further properties of the operation, for `result`.
  bool usesValues = false;  ///< `result` uses UnsetSource::value.
  int64_t resultBits = 64;  ///< Width of the result's register.
};

/// The rule of an operation that has a more precise one than anyUnset(), else nothing. selp and
/// vectors have none. Source operands keep their order; the predicate combined with a comparison is
/// `c`.
[[nodiscard]] std::optional<UnsetRule> chooseUnsetResult(const ptx::Instruction& instruction);

/// The rule for the c bits of a from bit b on.
[[nodiscard]] UnsetRule unsetPart();

/// All bits if any bit of any source is unset, else 0.
[[nodiscard]] uint64_t anyUnset(const UnsetSources& sources);

}  // namespace tilestep::simt
