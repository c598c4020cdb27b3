// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simt/check/state.h"

/// Tracking of unset values, as in Valgrind's memcheck (Seward and Nethercote, USENIX 2005). Each
/// register that may hold an unset value has a companion, which consists of a row of 64-bit masks
/// and a row of origins. A set bit in a lane's mask means that this bit of the register has no
/// value; the origin identifies the source of the lane's unset bits. The micro-operations below
/// update companions along with the values. Until a warp meets an unset value
/// (CheckState::warpHasUnset is 0), its companions count as 0 and these micro-operations do
/// nothing.
namespace tilestep::simt {

constexpr uint32_t kCompanionBytes = kWideRow + kNarrowRow;

struct UnsetOrigin {
  static constexpr uint32_t kNever = 1;  ///< The register was never written.
  /// kAbsent + i: the value came from a lane outside the shuffle with instruction index i.
  static constexpr uint32_t kAbsent = 2;
  /// kMemory + i: the i-th read of memory that was never written, in execution order.
  static constexpr uint32_t kMemory = 1 << 24;
};

struct Unset {
  uint64_t bits = 0;
  uint32_t origin = 0;  ///< 0 if no bit is set; the lowest of several origins.
};

/// The lane's part of the companion at `row`; all zero if `row` is kNoRow.
[[nodiscard]] Unset unsetAt(const Context& context, uint32_t row, uint32_t lane);
void setUnset(const Context& context, uint32_t row, uint32_t lane, Unset unset);
/// Begins to use the running warp's companions.
void startUnset(const Context& context);

/// Micro-operations on companions. A source companion may be kNoRow, which means that all its bits
/// have a value. `d` is the companion of the result. Only active lanes are written.
namespace unset_ops {

/// Initialises a register's companion `d` at a function's start; `offset` is 1 if it has no value.
void open(Context& context, const Instr& in);
/// Computes the companion of an operation's result by the UnsetRule with index `site`. Its inputs
/// are the companions `a`, `b` and `c`, and the sources' values in the rows `address`, `target` and
/// `memo`, each of which may be kNoRow. Bit i of `elements` is set if value row i is wide.
void follow(Context& context, const Instr& in);
/// Sets all bits of `d` to unset in each lane in which any bit of `a` is unset.
void spread(Context& context, const Instr& in);
/// Concatenates `a`, `b`, `c` and `address`, `offset` bits each, from the lowest bits up.
void join(Context& context, const Instr& in);
/// For selp: `a` if the predicate in row `c` is true, else `b`. `address` is the companion of `c`.
void choose(Context& context, const Instr& in);
/// Sets each word of row `d` to the lane's index, plus 32 in inactive lanes.
void numberLanes(Context& context, const Instr& in);
/// Copies the companion `a` from the lane whose index, as set by numberLanes(), is in row `b`.
void takeFrom(Context& context, const Instr& in);
/// Reports lanes in which any bit of `a` in the mask `offset` is unset.
void use(Context& context, const Instr& in);
/// Like use(), for a use that may be correct because it copies a part of a structure.
void useInPart(Context& context, const Instr& in);

}  // namespace unset_ops
}  // namespace tilestep::simt
