// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simt/machine.h"

/// What the checked copy of the core works on: plain data alone, as in machine.h. Memory is looked
/// at in granules, the smallest access that the program makes to it, so that one mark a granule is
/// exact to the byte. Owned by one worker thread but for the shadows of global memory, whose marks
/// are read and written as relaxed atomics.
namespace tilestep::simt {

/// An access: who, by which instruction, when. From the top: the block (global memory only), its
/// time, the site, the thread (warp, then lane), so that the marks of one block order by time. 0:
/// there was none.
using Mark = uint64_t;
constexpr Mark kLaneMask = 0x1f, kWarpMask = 0x3e0, kThreadMask = 0x3ff;
constexpr unsigned kSiteShift = 10;
/// Of marks in shared memory.
constexpr unsigned kSharedTimeShift = 28;

/// An access of a matrix whose index is row * width + column: what must hold for its column.
struct ColumnCheck {
  uint32_t row = kNoRow;  ///< Of the lanes' rows (times an element's bytes); kNoRow: nothing known.
  uint32_t region = 0;
  uint64_t width = 0;  ///< Elements.
  uint64_t rowBytes = 0;
  int64_t least = 0, most = 0;  ///< Widths that may belong to the column instead.
};

/// What a memory instruction does, as the checkers see it.
struct CheckSite {
  Instr access;         ///< What the checked instruction runs after its check.
  uint32_t source = 0;  ///< Index in the entry function's body.
  bool checked = false;
  bool reads = false;
  bool writes = false;
  bool atomic = false;
  bool ordered = false;     ///< With a memory order of its own: as good as atomic.
  bool release = false;     ///< Of itself, without a fence before it.
  bool isVolatile = false;  ///< Good enough for a flag between warps in global memory.
  bool firstLook =
      false;  ///< A load: an atomic operation of the thread's on the same bytes follows.
  /// The one shared variable that its addresses come from: [begin, end) of the block's shared
  /// memory; all of it where that is not known.
  uint64_t sharedBegin = 0, sharedEnd = ~uint64_t{0};
  ColumnCheck column;
};

/// The accesses to one piece of memory, by granule. Of reads and atomic operations the latest is
/// kept, and one by another thread, of another block or warp where there is one: a later write
/// meets at least one that it is not ordered with, if any such there was.
struct Shadow {
  Mark* writes = nullptr;  ///< Null: not looked at.
  Mark* reads[2] = {};     ///< Null where nothing reads.
  Mark* atomics[2] = {};   ///< Null where there are none.
  unsigned granuleShift = 2;
};

/// Which of a granule's marks the access meets.
enum class MarkRole : uint8_t { write, read, atomic };

struct Conflict {
  MarkRole role;  ///< Of the mark.
  uint32_t lane;
  Mark before, now;
  const Region* region;
  uint64_t offset;  ///< Of the granule in the region.
  uint32_t part;    ///< Of the granule in the access, bytes.
};

/// Of one worker; what changes from warp to warp is set before a warp runs.
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
  uint64_t globalTimes;   ///< How many times a mark of global memory tells apart.
  uint8_t* localWritten;  ///< Of the warp, like Context::local: 1 where a byte was written.
  bool synchronises;      ///< The program has fences, so that atomic operations may order things.
  /// Before and after an atomic operation, or one as good, of a program that synchronises.
  void (*release)(Context&, const Instr&, uint32_t lane, const Region*, uint64_t offset);
  void (*acquire)(Context&, const Instr&, uint32_t lane, const Region*, uint64_t offset);
  void (*fence)(Context&, const Instr&);
  /// Two accesses that no barrier seems to order.
  void (*conflict)(Context&, const Instr&, const Conflict&);
};

}  // namespace tilestep::simt
