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

/// An access: by whom, by which instruction, and when. From the top bits down: the block (global
/// memory only), the time, the site, the thread (warp, then lane), so that the marks of one block
/// are ordered by time. 0: no access.
using Mark = uint64_t;
constexpr Mark kLaneMask = 0x1f, kWarpMask = 0x3e0, kThreadMask = 0x3ff;
constexpr unsigned kSiteShift = 10;
/// Width of the time in marks of shared memory.
constexpr unsigned kSharedTimeShift = 28;

/// An access of a matrix whose index is row * width + column: what must hold for its column.
struct ColumnCheck {
  uint32_t row = kNoRow;  ///< The lanes' rows times an element's bytes; kNoRow: not known.
  uint32_t region = 0;
  uint64_t width = 0;  ///< Elements.
  uint64_t rowBytes = 0;
  int64_t least = 0, most = 0;  ///< Widths that may belong to the column instead.
};

/// The treatment of a load from memory that nobody wrote.
enum class OnUnwritten : uint8_t {
  fault,   ///< It is reported.
  follow,  ///< It is reported where it is used: CheckSite::companions tell of it.
  doubt    ///< It cannot be followed there, and is reported as something that may be right.
};

/// A memory instruction, as the checkers see it.
struct CheckSite {
  Instr access;         ///< Run by the checked instruction after its check.
  uint32_t source = 0;  ///< Index in the entry function's body.
  bool checked = false;
  bool reads = false;
  bool writes = false;
  bool atomic = false;
  bool atomicLoad = false;  ///< An atomic operation that changes nothing, to read: atomicAdd(p, 0).
  bool compares = false;    ///< A compare-and-swap: it writes only where it finds what it expects.
  bool answers = false;     ///< An atomic operation of which somebody reads the old value.
  bool ordered = false;     ///< Has a memory order of its own, so it counts as atomic.
  bool release = false;     ///< Releases by itself, without a fence before it.
  bool ofBlock = false;     ///< Its scope is the block: for threads of others it is not atomic.
  bool ofSystem = false;    ///< Its scope is the system: the host can go by it.
  bool isVolatile = false;  ///< Counts as a flag between warps, as FlagUse allows.
  FlagUse use = FlagUse::data;  ///< Of a load that is volatile, ordered or atomic.
  bool ofFlag = false;          ///< In shared memory: of a variable on which some thread waits.
  bool nonCoherent = false;     ///< A load through the read-only cache, which may miss all writes.
  bool firstLook = false;  ///< A load before an atomic operation of the thread on the same bytes.
  bool isSigned = false;   ///< A load that extends the sign.
  OnUnwritten unwritten = OnUnwritten::fault;
  /// Companions (unset_bits.h) of the registers that a load fills or a store takes, by element;
  /// kNoRow: it has none.
  std::array<uint32_t, 4> companions = {kNoRow, kNoRow, kNoRow, kNoRow};
  /// The one shared variable that its addresses come from: [begin, end) of the block's shared
  /// memory; all of it where that is not known.
  uint64_t sharedBegin = 0, sharedEnd = ~uint64_t{0};
  ColumnCheck column;
};

/// The accesses to one region of memory, by granule. Two reads and two atomic operations are kept:
/// the latest, and one by another thread, of another block or warp if there is one. If any of them
/// is unordered with a later write, at least one of those kept is.
struct Shadow {
  Mark* writes = nullptr;  ///< Null: not checked.
  Mark* reads[2] = {};     ///< Null where nothing reads.
  Mark* atomics[2] = {};   ///< Null where there are none.
  /// Some atomic operations there are of block scope, or load data, so that they may race with each
  /// other.
  bool atomicsMayRace = false;
  unsigned granuleShift = 2;
};

/// Which of a granule's marks the access meets.
enum class MarkRole : uint8_t { write, read, atomic };

struct Conflict {
  MarkRole role;  ///< The mark's role.
  uint32_t lane;
  Mark before, now;
  const Region* region;
  uint64_t offset;  ///< The granule's offset in the region.
  uint32_t part;    ///< The granule's offset in the access, bytes.
};

/// The state of one worker. What differs between warps is set before a warp runs.
struct CheckState {
  const CheckSite* sites;
  Shadow shared;
  const Shadow* globals;  ///< By region.
  /// Accesses of the running warp since the worker began. A barrier sets the warps that pass it to
  /// one later time.
  uint64_t time;
  uint64_t blockStart;  ///< The time at which the block began.
  Mark sharedStart;     ///< Marks below are another block's: nothing of this one has been written.
  /// Marks of the block below `floor` are ordered before the warp by a barrier of the block, its
  /// own below `warpFloor` by one of the warp.
  Mark sharedFloor, sharedWarpFloor, globalFloor, globalWarpFloor;
  Mark warp;   ///< The running warp's field.
  Mark block;  ///< The block's field in marks of global memory.
  Mark blockMask;
  unsigned globalTimeShift;
  uint64_t globalTimes;         ///< How many times a mark of global memory tells apart.
  uint8_t* localUnset;          ///< The warp's, like Context::local: as bits, what has no value.
  uint8_t* sharedUnset;         ///< The same of what was stored in shared memory.
  bool sharedHoldsUnset;        ///< Something without a value was stored there.
  uint8_t* warpHasUnset;        ///< Not 0: companions of the warp count (unset_bits.h).
  const uint32_t* companions;   ///< All of them.
  const UnsetRule* unsetRules;  ///< By Instr::site of unset_ops::follow.
  uint32_t companionCount;
  RequestUse* requests;  ///< By site: what they cost; the worker's.
  SharedUse* sharedUse;
  /// The program has fences, or threads that wait, so that atomic operations may order things.
  bool synchronises;
  /// Called before and after an atomic operation, or one that counts as such, if `synchronises`.
  void (*release)(Context&, const Instr&, uint32_t lane, const Region*, uint64_t offset);
  void (*acquire)(Context&, const Instr&, uint32_t lane, const Region*, uint64_t offset);
  void (*fence)(Context&, const Instr&);
  /// Called before a store in global memory leaves its marks. Null where no other worker meets
  /// them.
  void (*publishStore)(Context&, const Instr&);
  /// Called before an atomic operation on global memory that answers leaves its mark, and after it
  /// has run. No other one does so meanwhile, so that their marks are in the order in which they
  /// ran.
  void (*beginAnswer)(Context&);
  void (*endAnswer)(Context&);
  /// Called before a load that is followed, if companions count.
  void (*clearCompanions)(Context&, const Instr&);
  /// Called for a lane's read of memory of which `unset`, one byte for each of its bytes, has no
  /// value, as bits. `wasStored`: something was written there, but without a value.
  void (*foundUnwritten)(Context&, const Instr&, uint32_t lane, uint64_t address,
                         const uint8_t* unset, bool wasStored);
  /// Called for a lane's write, if companions count or sharedHoldsUnset. No region: local memory.
  void (*noteStored)(Context&, const Instr&, uint32_t lane, const Region*, uint64_t offset);
  /// Called where a lane uses what has no value; `inPart`: as a part of what it copies.
  void (*reportUse)(Context&, const Instr&, uint32_t lane, uint32_t origin, bool inPart);
  /// Called for two accesses that no barrier seems to order.
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
