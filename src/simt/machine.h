// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "simt/operations.h"
#include "simt/use.h"

/// The data that the interpreter's core works on: plain data only. The core is compiled once for
/// each vector instruction set, so nothing here may contain code that the linker could take from
/// another one's copy. Units: bytes, lanes, instruction indices. Owned by one worker thread.
namespace tilestep::simt {

constexpr uint32_t kLanes = 32;
constexpr uint32_t kNoRow = 0xffffffff;
/// For a block's branch: a warp reached it; lanes of one warp diverged there.
constexpr uint8_t kReached = 1, kParted = 2;
constexpr uint32_t kNoBlock = 0xffffffff;

/// A row holds one register for the 32 lanes of a warp: 4 or 8 bytes per lane.
constexpr uint32_t kNarrowRow = 4 * kLanes;
constexpr uint32_t kWideRow = 8 * kLanes;

/// Virtual addresses of global memory. Unless the caller places it, buffer j is at 2^44 + j * 2^36,
/// with nothing mapped between buffers.
constexpr uint64_t kGlobalStart = uint64_t{1} << 44;
constexpr unsigned kGlobalStride = 36;  ///< Bits.
/// The bytes of a cell; a table gives the region of each cell (address_map.h).
constexpr unsigned kCellBits = 32;
constexpr uint64_t kCells = uint64_t{1} << 14;
constexpr uint16_t kNoRegion = 0xffff;
constexpr uint64_t kSharedWindow = uint64_t{1} << 40;
constexpr uint64_t kLocalWindow = uint64_t{1} << 41;
constexpr uint64_t kParamWindow = uint64_t{1} << 42;
constexpr uint64_t kWindowBytes = uint64_t{1} << 32;
/// The functions of a module have addresses from here on: the values of pointers to them.
constexpr uint64_t kCodeStart = uint64_t{1} << 43;
constexpr uint64_t kCodeStride = 16;
/// The address of the module's function with that number, the same in all launches.
constexpr uint64_t codeAddress(uint64_t number) {
  return kCodeStart + kCodeStride * (number + 1);
}

enum class MemorySpace : uint8_t { shared, global, constant, local, param, generic };

struct Context;
struct Instr;
using Handler = void (*)(Context&, const Instr&);

/// One predecoded micro-operation. Rows are byte offsets in the warp's register file.
struct Instr {
  Handler run = nullptr;                ///< Called by the loop.
  Handler op = nullptr;                 ///< The operation without guard and mask.
  uint32_t d = 0, a = 0, b = 0, c = 0;  ///< Rows; of a load or store: the data rows.
  uint32_t target = 0;                  ///< The result's row if d is a scratch row.
  uint32_t address = 0;                 ///< Memory: row of addresses.
  int64_t offset = 0;                   ///< Memory: added to each address; else Op's mode.
  uint32_t guard = kNoRow;
  uint32_t source = 0;  ///< Instruction index: see Program::instruction.
  uint32_t memo = 0;    ///< Memory: index of its Memo.
  uint32_t site = 0;    ///< Memory: its number among the memory instructions.
  MemorySpace space = MemorySpace::global;
  uint8_t bytes = 0;     ///< Memory: of one access of one lane, with vectors as a whole.
  uint8_t elements = 0;  ///< Memory: 1, 2 or 4; of a vector of sums: which one.
  bool guardNegated = false;
  bool wideResult = false;
  bool isStore = false;
  bool isAtomic =
      false;  ///< Reads and writes; d is the row of the old value or kNoRow, a and b are sources.
  bool wideAddress = true;
  bool isFence = false;
  bool isDeferred = false;    ///< cp.async: its data arrive later.
  bool isMatrix = false;      ///< ldmatrix: `elements` matrices; each access reads a row of one.
  bool isTransposed = false;  ///< ldmatrix.
  bool masksItself = false;   ///< The handler writes only active lanes.
  bool patterned = false;     ///< A load or store that uses its Memo.
  bool known = false;         ///< The preceding operation has compared the same addresses.
  bool isCompanion = false;   ///< Writes only companions: the unset bits of values.
  uint8_t counts = 0;         ///< Guarded only: FloatCount to add to.
  Handler traced = nullptr;   ///< The handler that a traced copy wraps.
};

/// The pattern of one memory instruction's addresses when it last ran, and facts that follow from
/// it.
struct AddressPattern {
  alignas(64) int64_t wide[kLanes];     ///< Address minus the first active lane's.
  alignas(64) uint32_t narrow[kLanes];  ///< The same, lower 32 bits.
  int64_t lowest, highest;              ///< Over all active lanes; highest: one past the last byte.
  uint32_t mask;                        ///< 0: no pattern is known yet.
  uint32_t alignment;                   ///< All differences, combined by OR.
  uint16_t distinctBytes;
  uint8_t run;     ///< Lanes that are side by side: 32, 16, 8, 4, or 0.
  uint8_t repeat;  ///< Lanes that share one address, likewise.
  uint8_t wavefronts, conflicts;
  uint8_t sectors[32];  ///< By the first address modulo 32; 0: not counted yet.
};

enum FloatCount : uint8_t { kNoFloat, kFfma, kFadd, kFmul };

/// Counters of one epoch on one worker; the meaning is trace/counters.h's.
struct Counts {
  struct Global {
    uint64_t threads, requests, sectors, bytes, distinctBytes;
  };
  struct Shared {
    uint64_t requests, wavefronts, bankConflicts;
  };
  Global global[2];  ///< Loads, stores.
  Shared shared[2];
  uint64_t barriers, threadInstructions, warpInstructions, branches, divergentBranches;
  uint64_t floats[4];  ///< By FloatCount.
};

/// A mapped range of memory.
struct Region {
  uint64_t start;  ///< Virtual address of its first byte.
  uint64_t bytes;
  uint8_t* host;
  uint8_t* shadow;  ///< One byte per byte, set to 1 when written; null: not kept.
  bool writable;
  bool counted;  ///< Accesses count as accesses to global memory.
  /// One byte per byte: 1 if it is allocated, read atomically; null: all bytes are.
  const uint8_t* given = nullptr;
  ByteUse use = {};  ///< Recorded if the launch is checked.
};

enum class Terminator : uint8_t {
  fall,
  branch,
  spin,      ///< A branch of a loop that may wait for other threads.
  indexed,   ///< brx: by the value of `row`, into Context::targets.
  only,      ///< Lanes whose guard holds go to `target` first, and all reconverge at `next`.
  call,      ///< To `target`, and back to `next`.
  indirect,  ///< A call of the function whose address is in `row`.
  back,      ///< To the place of this function's call.
  exit,
  together,  ///< Waits until the lanes named by `row` have arrived, then runs `shared` of them.
  barrier,
};

/// Describes what is ahead of lanes that arrive at a block: only branches and a return from the
/// kernel or from a device function, or anything else.
enum class Ahead : uint8_t { work, exit, back };

/// The task of a barrier in addition to counting threads.
enum class BarrierKind : uint8_t { sync, arrive, popc, all, any };

/// A piece of a program that runs from its begin to its end, then its terminator. It is a basic
/// block of the PTX (ptx/analysis/control_flow.h) or a part of one, because calls, barriers and
/// operations of all lanes together also end a piece, and, in another order, accesses that other
/// threads may see.
struct DecodedBlock {
  uint32_t begin = 0, end = 0;  ///< Micro-operations.
  Terminator terminator = Terminator::fall;
  Ahead ahead = Ahead::work;
  uint32_t next = kNoBlock;        ///< The block of lanes that do not branch.
  uint32_t target = kNoBlock;      ///< brx: where its targets begin in Context::targets.
  uint32_t reconverge = kNoBlock;  ///< kNoBlock: only at the exit.
  uint32_t guard = kNoRow;         ///< kNoRow: always.
  bool guardNegated = false;
  BarrierKind barrier = BarrierKind::sync;
  bool aligned = true;               ///< A barrier that all lanes of a warp must reach together.
  uint32_t row = kNoRow;             ///< Row of the barrier's number (kNoRow: 0), mask or index.
  uint32_t barrierThreads = kNoRow;  ///< Row of the number of threads; kNoRow: all.
  uint32_t result = kNoRow;          ///< Reducing barriers: row of a predicate, or of a count.
  uint32_t predicate = kNoRow;       ///< The operand of a reduction.
  bool predicateNegated = false;
  uint32_t shared = 0;        ///< Micro-operations after `end` that the lanes run together.
  uint32_t targets = 0;       ///< brx: their number.
  uint32_t source = 0;        ///< Instruction index of the terminator.
  uint32_t instructions = 0;  ///< PTX instructions, the terminator included.
  bool yields = false;        ///< Falls through to an access that other threads may see.
  bool waits = false;         ///< Is in a loop that may wait for other threads.
  uint32_t floats[4] = {};    ///< Unguarded ones by FloatCount.
};

constexpr uint32_t kNoPath = 0xffffffff;

/// The position of some lanes of a warp. A path that split waits at its `block` for its children
/// (Path::children), and so does one that called a function. All other paths run, one at a time, or
/// wait.
struct Path {
  enum class Wait : uint8_t { nothing, together, barrier };
  uint32_t block;  ///< Next to run.
  uint32_t mask;
  uint32_t reconverge;  ///< The end of this path; kNoBlock: the exit, or the place of its call.
  uint32_t parent;      ///< Always before it; kNoPath for none.
  uint16_t children;
  Wait wait;
  bool called;       ///< A call waits here for its lanes to return.
  uint32_t members;  ///< While waiting for lanes: their mask.
  uint32_t barrier;  ///< While waiting at a barrier: its number,
  uint32_t threads;  ///< and the number of threads it waits for; 0: all.
};

struct Paths {
  Path* paths;  ///< The warp's; room for `capacity`.
  uint32_t count, capacity;
  uint32_t current;  ///< The running one; kNoPath: none can run.
  int64_t patience;  ///< Basic blocks that it may still run while others could run.
  bool spun;         ///< It passed through a loop that may wait for others.
  bool turns;  ///< Some lanes wait for others, so paths take turns until all have reconverged.
};

/// Each split leaves two paths with fewer lanes each and one that waits, so 32 lanes need no more.
constexpr uint32_t kMostSplits = 2 * kLanes + 2;
constexpr int64_t kPatience = 1 << 20;

struct Warp {
  Paths paths;
  uint8_t* registers;
  uint32_t live;            ///< Lanes that exist and have not exited.
  uint32_t index;           ///< In the block.
  uint32_t epoch;           ///< Barriers completed.
  uint32_t barrierSource;   ///< Instruction index of the latest barrier,
  uint32_t barrierLanes;    ///< the lanes that reached it,
  uint32_t barrier;         ///< Its number,
  uint32_t barrierThreads;  ///< and the number of threads it is for; 0: all.
  uint32_t exitSource;      ///< The place of the latest exit of lanes; kNoPath: none exited.
  uint64_t clock;           ///< Instructions executed.
};

/// Why the core returned a warp. `blocked`: none of its paths can continue by itself. From
/// `tooDeep` on it cannot be continued at all.
enum class Pause : uint8_t {
  finished,
  blocked,
  arrived,
  quantum,
  tooDeep,
  noFunction,
  noLabel,    ///< An index past the table of a branch.
  badBarrier  ///< A number of threads (Warp::barrierThreads) for which there are no barriers.
};

enum class AccessFault : uint8_t {
  outOfBounds,
  misaligned,
  readOnly,  ///< A store, or an atomic operation that would change something; it is skipped.
  input,     ///< The same, to an operand that the launch may only read.
  uninitialised,
  valueless,      ///< The same, but a value that was never set was stored there.
  valuelessCopy,  ///< `copied` likewise.
  copied,         ///< The same, but possibly correct: the unset value may be an unused part.
  outsideArray,
  outsideRow,
  outsideAllocation,  ///< In the device heap.
  unset,              ///< A register without a value, not memory.
  absent  ///< The same, because a shuffle took the value from a lane that does not take part in it.
};

struct CheckState;

/// Everything that the core accesses while a warp runs.
struct Context {
  alignas(64) uint32_t lanes[kLanes];  ///< All ones for an active lane, else 0.
  uint32_t mask;                       ///< The same as a bit mask.
  uint8_t* registers;                  ///< The warp's.
  Warp* warp;
  Counts* counts;  ///< Counts of the warp's epoch; null: not counting.
  /// By block: kReached if its branch is executed and kParted if lanes diverge there, if these are
  /// recorded.
  uint8_t* branched;
  const Instr* code[2];  ///< For all live lanes; for some of them.
  const DecodedBlock* blocks;
  const uint32_t* targets;    ///< Blocks, of brx.
  const uint32_t* functions;  ///< The first blocks of functions that are called by address.
  uint32_t functionCount;
  AddressPattern* memos;
  const Region* regions;
  const uint16_t* cells;  ///< AddressMap::cells().
  Region shared, param;
  uint8_t* local;  ///< The warp's; localBytes per lane.
  uint64_t localBytes;
  uint32_t quantum;      ///< Basic blocks until the warp is returned.
  const uint32_t* stop;  ///< Not 0: return the warp soon.
  bool alone;            ///< No other host thread runs blocks of this launch.
  /// Not 0: determines the order in which lanes take their turns at atomic operations, a different
  /// one each time.
  uint64_t laneOrder;
  /// Not 0: lanes diverge occasionally, and either side of a branch may go first, as determined by
  /// this number.
  uint64_t apart;
  void (*fault)(Context&, const Instr&, uint32_t lane, AccessFault, uint64_t address);
  void (*before)(Context&, const Instr&);  ///< Around observed instructions.
  void (*after)(Context&, const Instr&);
  /// Called with the lanes that run a Terminator::together, before it runs; may be null.
  void (*called)(Context&, const DecodedBlock&, uint32_t lanes);
  /// The same, after it has run.
  void (*met)(Context&, const DecodedBlock&, uint32_t lanes);
  void* owner;
  CheckState* check;  ///< For checked instructions; null without.
};

/// The number of basic blocks that a warp may run before another one gets its turn. An iteration of
/// a loop that may wait for other threads counts as kSpinCost, a piece that yields as kYieldCost.
constexpr uint32_t kQuantum = 1 << 14;
constexpr uint32_t kSpinCost = 1 << 8;
constexpr uint32_t kYieldCost = 1 << 5;

/// The core, as compiled for one instruction set. A null handler: no such operation.
struct Engine {
  const char* name;
  Handler (*arithmetic)(Op, Lane, Round);
  Handler (*compare)(Relation, Lane);
  Handler (*convert)(Lane to, Lane from, Round, bool saturate, bool toInteger);
  Handler (*load)(Lane memory, bool wideRow, bool wideAddress);
  Handler (*store)(Lane memory, bool wideRow, bool wideAddress);
  Handler (*cells)(Lane memory, bool wideRow, bool store);  ///< Parameters of calls.
  Handler (*warp)(WarpOp, bool wide);
  Handler (*atomic)(AtomicOp, Lane);
  Handler masked[2];   ///< Runs `op` and keeps the inactive lanes; narrow, wide result.
  Handler guarded[3];  ///< The same under a guard; [2] for memory.
  Handler observed;    ///< before, `traced`, after.
  Handler checked;     ///< Memory: checks the access, then runs it.
  Handler checkedFence;
  void (*start)(Warp&, uint32_t lanes);  ///< At block 0.
  Pause (*run)(Context&);
  /// Lets the paths that wait at that barrier continue. True if there are any.
  bool (*release)(Warp&, const DecodedBlock*, uint32_t barrier);
};

}  // namespace tilestep::simt
