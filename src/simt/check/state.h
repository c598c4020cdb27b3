// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "simt/check/flag_loads.h"
#include "simt/machine.h"

/// The data on which the core works in a checked launch. Plain data without functions, as in
/// machine.h. Memory is divided into granules of the size of the program's smallest access to it,
/// so that one mark per granule is exact to the byte. Owned by one worker thread, except for the
/// shadows of global memory, whose marks are read and written as relaxed atomics.
namespace tilestep::simt {

struct UnsetRule;

/// An access. From the highest bits down, the fields are the block (only for global memory), the
/// time, the site, and the thread (warp, then lane), so that the marks of one block are ordered by
/// time. 0 means no access.
using Mark = uint64_t;
constexpr Mark kLaneMask = 0x1f, kWarpMask = 0x3e0, kThreadMask = 0x3ff;
constexpr unsigned kSiteShift = 10;
/// Position of the time in marks of shared memory.
constexpr unsigned kSharedTimeShift = 28;

/// The bounds of the column in an access to a matrix with index row * width + column.
struct ColumnCheck {
  /// Companion: matrix row times the bytes of an element, by lane; kNoRow if unknown.
  uint32_t row = kNoRow;
  uint32_t region = 0;
  uint64_t width = 0;  ///< Elements.
  uint64_t rowBytes = 0;
  int64_t least = 0, most = 0;  ///< Widths that may belong to the column instead.
};

/// The treatment of a load from memory that was never written.
enum class OnUnwritten : uint8_t {
  fault,   ///< Report it.
  follow,  ///< Report the value's first use, found through CheckSite::companions.
  doubt    ///< The value cannot be followed, so report the load as possibly correct.
};

/// A memory instruction, as the checkers see it.
struct CheckSite {
  Instr access;         ///< Run by the checked instruction after its check.
  uint32_t source = 0;  ///< Index in the entry function's body.
  bool checked = false;
  bool reads = false;
  bool writes = false;
  bool atomic = false;
  bool atomicLoad = false;  ///< An atomic operation that serves as a load, such as atomicAdd(p, 0).
  bool compares = false;    ///< A compare-and-swap.
  bool answers = false;     ///< An atomic operation whose old value is used.
  bool ordered = false;     ///< Atomic, or counts as atomic because it has a memory order.
  bool release = false;     ///< Releases without a preceding fence.
  /// Its scope is the block, so it is not atomic for threads of other blocks.
  bool ofBlock = false;
  bool ofSystem = false;        ///< Its scope is the system, so it is atomic for the host, too.
  bool isVolatile = false;      ///< Counts as a flag between warps, as FlagUse allows.
  FlagUse use = FlagUse::data;  ///< For a load that is volatile, ordered or atomic.
  bool ofFlag = false;          ///< Accesses a shared variable for which some thread waits.
  bool nonCoherent = false;     ///< A load through the read-only cache, which may miss all writes.
  bool firstLook =
      false;  ///< A load before an atomic operation of the same thread on the same bytes.
  bool isSigned = false;  ///< A sign-extending load.
  OnUnwritten unwritten = OnUnwritten::fault;
  /// Companions (unset_bits.h) of the registers that a load fills or a store reads, by element;
  /// kNoRow if there is none.
  std::array<uint32_t, 4> companions = {kNoRow, kNoRow, kNoRow, kNoRow};
  /// The bytes [begin, end) of the accessed shared variable, or all of shared memory if unknown.
  uint64_t sharedBegin = 0, sharedEnd = ~uint64_t{0};
  ColumnCheck column;
};

/// The remembered accesses to one region of memory, by granule. Two reads and two atomic operations
/// are kept: the latest one and one by another thread, preferably of another block or warp. If any
/// access is unordered with a later write, at least one of the kept accesses is, too.
struct Shadow {
  Mark* writes = nullptr;  ///< Null if not checked.
  Mark* reads[2] = {};     ///< Null if there are no reads.
  Mark* atomics[2] = {};   ///< Null if there are no atomic operations.
  /// Some atomic operations have block scope or load data, so they may race with each other.
  bool atomicsMayRace = false;
  unsigned granuleShift = 2;
};

/// Which of a granule's marks is compared with the access.
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
  /// The number of accesses of the running warp since the worker began. A barrier sets the warps
  /// that pass it to a common later time.
  uint64_t time;
  uint64_t blockStart;  ///< The time at which the block began.
  Mark sharedStart;     ///< Lower marks belong to earlier blocks.
  /// A barrier of the block orders the block's marks below `sharedFloor` or `globalFloor` before
  /// the warp's next access. A barrier of the warp orders the warp's own marks below
  /// `sharedWarpFloor` or `globalWarpFloor`.
  Mark sharedFloor, sharedWarpFloor, globalFloor, globalWarpFloor;
  Mark warp;   ///< The running warp's field in marks.
  Mark block;  ///< The block's field in marks of global memory.
  Mark blockMask;
  unsigned globalTimeShift;
  uint64_t globalTimes;  ///< The number of distinct times in a mark of global memory.
  /// The unset bits of the warp's local memory, laid out like Context::local.
  uint8_t* localUnset;
  uint8_t* sharedUnset;         ///< The unset bits of values stored in shared memory.
  bool sharedHoldsUnset;        ///< A value that was never set was stored in shared memory.
  uint8_t* warpHasUnset;        ///< Not 0 if the warp's companions are in use (unset_bits.h).
  const uint32_t* companions;   ///< Rows of all companions.
  const UnsetRule* unsetRules;  ///< By Instr::site of unset_ops::follow.
  uint32_t companionCount;
  RequestUse* requests;  ///< By site; owned by the host thread that runs the block.
  SharedUse* sharedUse;
  /// The program has fences or waiting threads, so atomic operations may establish an order.
  bool synchronises;
  /// If `synchronises`, called before and after an operation that is or counts as atomic.
  void (*release)(Context&, const Instr&, uint32_t lane, const Region*, uint64_t offset);
  void (*acquire)(Context&, const Instr&, uint32_t lane, const Region*, uint64_t offset);
  void (*fence)(Context&, const Instr&);
  /// Called before a global store leaves its marks. Null if no other worker can meet them.
  void (*publishStore)(Context&, const Instr&);
  /// Called for an atomic operation on global memory that returns the old value, before it leaves
  /// its mark and after it has executed. No other such operation executes in between, so marks are
  /// in execution order.
  void (*beginAnswer)(Context&);
  void (*endAnswer)(Context&);
  /// Called before a load whose value is followed, if companions are in use.
  void (*clearCompanions)(Context&, const Instr&);
  /// Called for a lane's read of memory with unset bits. `unset` has one byte for each byte read.
  /// `wasStored` means that a value that was never set was stored there.
  void (*foundUnwritten)(Context&, const Instr&, uint32_t lane, uint64_t address,
                         const uint8_t* unset, bool wasStored);
  /// Called for a lane's write, if companions are in use or sharedHoldsUnset. The region is null
  /// for local memory.
  void (*noteStored)(Context&, const Instr&, uint32_t lane, const Region*, uint64_t offset);
  /// Called when a lane uses a value that was never set. `inPart` means that it may be an unused
  /// part of a copy.
  void (*reportUse)(Context&, const Instr&, uint32_t lane, uint32_t origin, bool inPart);
  /// Called for two accesses that the floors do not order.
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
