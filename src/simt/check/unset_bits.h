// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simt/check/state.h"

/// Tracking of unset values, in the manner of Valgrind's memcheck (Seward and
/// Nethercote, USENIX 2005): a register that may hold one has a companion, a row of 64-bit masks,
/// whose set bits have no value, and behind it a row that says for each lane where they come from.
/// Micro-operations here keep companions along with the values. As long as all a warp has met has a
/// value (CheckState::warpHasUnset is 0), companions count as 0 and nothing is done.
namespace tilestep::simt {

constexpr uint32_t kCompanionBytes = kWideRow + kNarrowRow;

/// The origin of bits without a value.
struct UnsetOrigin {
  static constexpr uint32_t kNever = 1;  ///< The register was never written.
  /// From here on: from a lane that took no part in a shuffle, the instruction of that number.
  static constexpr uint32_t kAbsent = 2;
  /// From here on: a read of memory that nobody wrote, numbered in the order in which they ran.
  static constexpr uint32_t kMemory = 1 << 24;
};

struct Unset {
  uint64_t bits = 0;
  uint32_t origin = 0;  ///< 0 where no bit is set; of several ones the first.
};

/// The lane's companion at `row`; none at kNoRow.
[[nodiscard]] Unset unsetAt(const Context& context, uint32_t row, uint32_t lane);
void setUnset(const Context& context, uint32_t row, uint32_t lane, Unset unset);
/// From now on the warp has values that nobody gave.
void startUnset(const Context& context);

/// Micro-operations on companions. Rows of companions may be kNoRow: all of it has a value. `d` is
/// the companion of the result; all of these mask themselves.
namespace unset_ops {

/// At a function's start: the companion `d` of a register that it has not written; `offset` is 1
/// where it has no value yet, and 0 where it counts as having one.
void open(Context& context, const Instr& in);
/// The result of an operation, by the rule number `site` (UnsetRule) from the companions `a`, `b`
/// and `c`, and from the sources' values in the rows `address`, `target` and `memo`, each of which
/// may be kNoRow; they are wide where a bit of `elements` is set.
void follow(Context& context, const Instr& in);
/// In lanes in which any bit of `a` has no value, all of `d` has none; others stay as they are.
void spread(Context& context, const Instr& in);
/// `a`, `b`, `c` and `address` side by side, `offset` bits each.
void join(Context& context, const Instr& in);
/// selp: `a` where the predicate in row `c` is true, else `b`; `address` is its companion.
void choose(Context& context, const Instr& in);
/// Row `d` of words: the lane's number, or 32 and more for lanes that are not here.
void numberLanes(Context& context, const Instr& in);
/// The companion `a` of the lane that row `b` names as numberLanes() does.
void takeFrom(Context& context, const Instr& in);
/// Tells of lanes in which any of the bits `offset` of `a` has no value.
void use(Context& context, const Instr& in);
/// The same where this may be right: a part of a structure that is copied.
void useInPart(Context& context, const Instr& in);

}  // namespace unset_ops
}  // namespace tilestep::simt
