// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "simt/check/flag_loads.h"
#include "simt/machine.h"

/// The data that the checked copy of the core works on: plain data only, as in machine.h. Memory is
/// divided into granules, the size of the smallest access that the program makes to it, so that one
/// mark per granule is exact to the byte. Owned by one worker thread, except for the shadows of
/// global memory, whose marks are read and written as relaxed atomics.
namespace tilestep::simt {

struct UnsetRule;

/// An access: the accessing thread, the instruction, and the time. From the top bits down: the
/// block (global memory only), the time, the site, the thread (warp, then lane), so that the marks
/// of one block are ordered by time. 0: no access.
using Mark = uint64_t;
constexpr Mark kLaneMask = 0x1f, kWarpMask = 0x3e0, kThreadMask = 0x3ff;
constexpr unsigned kSiteShift = 10;
/// Width of the time in marks of shared memory.
constexpr unsigned kSharedTimeShift = 28;

/// An access to a matrix whose index is row * width + column: the bounds of its column.
struct ColumnCheck {
  uint32_t row = kNoRow;  ///< The lanes' rows times an element's bytes; kNoRow: unknown.
  uint32_t region = 0;
  uint64_t width = 0;  ///< Elements.
  uint64_t rowBytes = 0;
  int64_t least = 0, most = 0;  ///< Widths that may belong to the column instead.
};

/// The treatment of a load from memory that was never written.
enum class OnUnwritten : uint8_t {
  fault,   ///< It is reported.
  follow,  ///< It is reported where it is used, with the help of CheckSite::companions.
  doubt    ///< It cannot be followed there, and is reported as possibly correct.
};

/// A memory instruction, as the checkers see it.
struct CheckSite {
  Instr access;         ///< Run by the checked instruction after its check.
  uint32_t source = 0;  ///< Index in the entry function's body.
  bool checked = false;
  bool reads = false;
  bool writes = false;
  bool atomic = false;
  bool atomicLoad = false;  ///< An atomic operation that changes nothing and serves as a load:
                            ///< atomicAdd(p, 0).
  bool compares = false;    ///< A compare-and-swap: it writes only if it finds the expected value.
  bool answers = false;     ///< An atomic operation whose old value is used.
  bool ordered = false;     ///< Has a memory order of its own, so it counts as atomic.
  bool release = false;     ///< Releases by itself, without a fence before it.
  bool ofBlock = false;   ///< Its scope is the block: for threads of other blocks it is not atomic.
  bool ofSystem = false;  ///< Its scope is the system: the host can rely on it.
  bool isVolatile = false;      ///< Counts as a flag between warps, as FlagUse allows.
  FlagUse use = FlagUse::data;  ///< For a load that is volatile, ordered or atomic.
  bool ofFlag = false;  ///< In shared memory: belongs to a variable for which some thread waits.
  bool nonCoherent = false;  ///< A load through the read-only cache, which may miss all writes.
  bool firstLook =
      false;  ///< A load before an atomic operation of the same thread on the same bytes.
  bool isSigned = false;  ///< A sign-extending load.
  OnUnwritten unwritten = OnUnwritten::fault;
  /// Companions (unset_bits.h) of the registers that a load fills or a store reads, by element;
  /// kNoRow: none.
  std::array<uint32_t, 4> companions = {kNoRow, kNoRow, kNoRow, kNoRow};
  /// The one shared variable that its addresses come from: [begin, end) of the block's shared
  /// memory; all of it if that is unknown.
  uint64_t sharedBegin = 0, sharedEnd = ~uint64_t{0};
  ColumnCheck column;
};

/// The accesses to one region of memory, by granule. Two reads and two atomic operations are kept:
/// the latest, and one by another thread, of another block or warp if there is one. If any of them
/// is unordered with a later write, at least one of those kept is.
struct Shadow {
  Mark* writes = nullptr;  ///< Null: not checked.
  Mark* reads[2] = {};     ///< Null if nothing reads.
  Mark* atomics[2] = {};   ///< Null if there are none.
  /// Some of its atomic operations have block scope, or load data, so they may race with each
  /// other.
  bool atomicsMayRace = false;
  unsigned granuleShift = 2;
};

/// Which of a granule's marks are compared with the access.
enum class MarkRole : uint8_t { write, read, atomic };

struct Conflict {
  MarkRole role;  ///< The mark's role.
  uint32_t lane;
  Mark before, now;
  const Region* region;
  uint64_t offset;  ///< The granule's offset in the region.
  uint32_t part;    ///< The granule's offset in the access, in bytes.
};

/// The state of one worker. Fields that differ between warps are set before a warp runs.
struct CheckState {
  const CheckSite* sites;
  Shadow shared;
  const Shadow* globals;  ///< By region.
  /// Accesses of the running warp since the worker began. A barrier sets the warps that pass it to
  /// a common later time.
  uint64_t time;
  uint64_t blockStart;  ///< The time at which the block began.
  Mark sharedStart;     ///< Marks below are another block's: this block has written nothing there.
  /// Marks of the block below `floor` are ordered before the warp by a barrier of the block, the
  /// warp's own below `warpFloor` by a barrier of the warp.
  Mark sharedFloor, sharedWarpFloor, globalFloor, globalWarpFloor;
  Mark warp;   ///< The running warp's field.
  Mark block;  ///< The block's field in marks of global memory.
  Mark blockMask;
  unsigned globalTimeShift;
  uint64_t globalTimes;         ///< The number of times that a mark of global memory distinguishes.
  uint8_t* localUnset;          ///< The warp's, like Context::local: the bits that have no value.
  uint8_t* sharedUnset;         ///< The same for values stored in shared memory.
  bool sharedHoldsUnset;        ///< A value that was never set was stored there.
  uint8_t* warpHasUnset;        ///< Not 0: companions of the warp count (unset_bits.h).
  const uint32_t* companions;   ///< All of them.
  const UnsetRule* unsetRules;  ///< By Instr::site of unset_ops::follow.
  uint32_t companionCount;
  RequestUse*
      requests;  ///< By site: the sectors and wavefronts; owned by the thread that runs the block.
  SharedUse* sharedUse;
  /// The program has fences, or threads that wait, so atomic operations may establish an order.
  bool synchronises;
  /// Called before and after an atomic operation, or one that counts as such, if `synchronises`.
  void (*release)(Context&, const Instr&, uint32_t lane, const Region*, uint64_t offset);
  void (*acquire)(Context&, const Instr&, uint32_t lane, const Region*, uint64_t offset);
  void (*fence)(Context&, const Instr&);
  /// Called before a store in global memory leaves its marks. Null if no other worker can meet
  /// them.
  void (*publishStore)(Context&, const Instr&);
  /// Called before an atomic operation on global memory that returns the old value leaves its mark,
  /// and after it has run. No other such operation runs meanwhile, so marks are in the order in
  /// which the operations ran.
  void (*beginAnswer)(Context&);
  void (*endAnswer)(Context&);
  /// Called before a load whose value is followed, if companions count.
  void (*clearCompanions)(Context&, const Instr&);
  /// Called for a lane's read of memory with unset bits: `unset` has one byte for each byte read.
  /// `wasStored`: something was written there, but its value was never set.
  void (*foundUnwritten)(Context&, const Instr&, uint32_t lane, uint64_t address,
                         const uint8_t* unset, bool wasStored);
  /// Called for a lane's write, if companions count or sharedHoldsUnset. No region: local memory.
  void (*noteStored)(Context&, const Instr&, uint32_t lane, const Region*, uint64_t offset);
  /// Called when a lane uses a value that was never set; `inPart`: as a part of a copy.
  void (*reportUse)(Context&, const Instr&, uint32_t lane, uint32_t origin, bool inPart);
  /// Called for two accesses that do not seem to be ordered by a barrier.
  void (*conflict)(Context&, const Instr&, const Conflict&);
};

/// The mark of lane 0 of the running warp for an access to global memory.
inline Mark globalMark(const CheckState& check, uint32_t site) {
  const uint64_t latest = check.globalTimes - 2;
  const uint64_t since = check.time - check.blockStart;
  return check.block | ((since < latest ? since : latest) << check.globalTimeShift) |
         (Mark{site} << kSiteShift) | check.warp;
}

}  // namespace tilestep::simt
