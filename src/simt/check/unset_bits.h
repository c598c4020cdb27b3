// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simt/check/state.h"

/// Tracking of unset values, in the manner of Valgrind's memcheck (Seward and Nethercote, USENIX
/// 2005): a register that may hold one has a companion, which consists of a row of 64-bit masks and
/// a row of origins. A set bit in a lane's mask marks a bit without a value; the origin tells where
/// that lane's unset bits come from. Micro-operations
/// here update companions along with the values. While a warp has met no unset value
/// (CheckState::warpHasUnset is 0), companions count as 0 and nothing is done.
namespace tilestep::simt {

constexpr uint32_t kCompanionBytes = kWideRow + kNarrowRow;

/// The origin of bits without a value.
struct UnsetOrigin {
  static constexpr uint32_t kNever = 1;  ///< The register was never written.
  /// From here on: from a lane that did not take part in a shuffle, the instruction with that
  /// number.
  static constexpr uint32_t kAbsent = 2;
  /// From here on: a read of memory that was never written, numbered in execution order.
  static constexpr uint32_t kMemory = 1 << 24;
};

struct Unset {
  uint64_t bits = 0;
  uint32_t origin = 0;  ///< 0 if no bit is set; of several origins the first.
};

/// The lane's companion at `row`; none if it is kNoRow.
[[nodiscard]] Unset unsetAt(const Context& context, uint32_t row, uint32_t lane);
void setUnset(const Context& context, uint32_t row, uint32_t lane, Unset unset);
/// From now on the warp has values that were never set.
void startUnset(const Context& context);

/// Micro-operations on companions. Rows of companions may be kNoRow: all bits have a value. `d` is
/// the companion of the result. All of these apply the mask themselves.
namespace unset_ops {

/// At a function's start: the companion `d` of a register that it has not written; `offset` is 1 if
/// it has no value yet, and 0 if it counts as having one.
void open(Context& context, const Instr& in);
/// The result of an operation, by the rule number `site` (UnsetRule) from the companions `a`, `b`
/// and `c`, and from the sources' values in the rows `address`, `target` and `memo`, each of which
/// may be kNoRow; a row is wide if its bit of `elements` is set.
void follow(Context& context, const Instr& in);
/// In lanes in which any bit of `a` has no value, no bit of `d` gets one; other lanes stay
/// unchanged.
void spread(Context& context, const Instr& in);
/// `a`, `b`, `c` and `address` side by side, `offset` bits each.
void join(Context& context, const Instr& in);
/// selp: `a` where the predicate in row `c` is true, else `b`; `address` is its companion.
void choose(Context& context, const Instr& in);
/// Row `d` of words: the lane's number, or 32 and more for lanes that are not here.
void numberLanes(Context& context, const Instr& in);
/// The companion `a` of the lane given by row `b`, numbered as by numberLanes().
void takeFrom(Context& context, const Instr& in);
/// Reports lanes in which any of the bits `offset` of `a` has no value.
void use(Context& context, const Instr& in);
/// The same if this may be correct: a part of a structure that is copied.
void useInPart(Context& context, const Instr& in);

}  // namespace unset_ops
}  // namespace tilestep::simt
