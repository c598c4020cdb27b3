// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "simt/operations.h"
#include "simt/use.h"

/// The data on which the interpreter's core works. It is plain data without functions, because the
/// core is compiled once for each vector instruction set, and the linker could replace one copy of
/// a function by that for another instruction set. Units: bytes, lanes, instruction indices. Owned
/// by one worker thread.
namespace tilestep::simt {

constexpr uint32_t kLanes = 32;
constexpr uint32_t kNoRow = 0xffffffff;
/// Flags of a basic block's branch: a warp reached it, and lanes of a warp diverged there.
constexpr uint8_t kReached = 1, kParted = 2;
constexpr uint32_t kNoBlock = 0xffffffff;

/// A row holds one register for the 32 lanes of a warp: 4 or 8 bytes per lane.
constexpr uint32_t kNarrowRow = 4 * kLanes;
constexpr uint32_t kWideRow = 8 * kLanes;

/// Virtual addresses of global memory. Buffer j is at 2^44 + j * 2^36 unless the caller gives an
/// address. Nothing is mapped between buffers.
constexpr uint64_t kGlobalStart = uint64_t{1} << 44;
constexpr unsigned kGlobalStride = 36;  ///< log2 of the bytes.
/// log2 of the bytes of a cell, and the number of cells (address_map.h).
constexpr unsigned kCellBits = 32;
constexpr uint64_t kCells = uint64_t{1} << 14;
constexpr uint16_t kNoRegion = 0xffff;
constexpr uint64_t kSharedWindow = uint64_t{1} << 40;
constexpr uint64_t kLocalWindow = uint64_t{1} << 41;
constexpr uint64_t kParamWindow = uint64_t{1} << 42;
constexpr uint64_t kWindowBytes = uint64_t{1} << 32;
/// Addresses of device functions, used as the values of function pointers, begin here.
constexpr uint64_t kCodeStart = uint64_t{1} << 43;
constexpr uint64_t kCodeStride = 16;
/// The address of the module's function with index `number`, the same in all launches.
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
  uint32_t d = 0, a = 0, b = 0, c = 0;  ///< Rows; for a load or store, its data rows.
  uint32_t target = 0;                  ///< The result's row if d is a scratch row.
  uint32_t address = 0;                 ///< For memory: row of addresses.
  int64_t offset = 0;  ///< For memory: added to each address. Otherwise: Op's mode.
  uint32_t guard = kNoRow;
  uint32_t source = 0;  ///< Instruction index: see Program::instruction.
  uint32_t memo = 0;    ///< For memory: index of its AddressPattern.
  uint32_t site = 0;    ///< For memory: index among the memory instructions.
  MemorySpace space = MemorySpace::global;
  uint8_t bytes = 0;     ///< For memory: bytes of one lane's access, a vector counting as a whole.
  uint8_t elements = 0;  ///< For memory: 1, 2 or 4. In a vector of sums: index of the sum.
  bool guardNegated = false;
  bool wideResult = false;
  bool isStore = false;
  bool isAtomic = false;  ///< d is the row of the old value or kNoRow; a and b are sources.
  bool wideAddress = true;
  bool isFence = false;
  bool isDeferred = false;  ///< cp.async: its data arrive later.
  bool isMatrix = false;    ///< ldmatrix of `elements` matrices; each access reads one matrix row.
  bool isTransposed = false;  ///< ldmatrix.
  bool masksItself = false;   ///< The handler writes only active lanes.
  bool patterned = false;     ///< A load or store that uses its AddressPattern.
  bool known = false;         ///< The preceding operation has compared the same addresses.
  bool isCompanion = false;   ///< Writes only companion rows (check/unset_bits.h).
  uint8_t counts = 0;         ///< If guarded: the FloatCount to increase.
  Handler traced = nullptr;   ///< The handler that a traced copy wraps.
};

/// The pattern of a memory instruction's addresses when it last ran, and facts that follow from it.
struct AddressPattern {
  alignas(64) int64_t wide[kLanes];     ///< Address minus the first active lane's.
  alignas(64) uint32_t narrow[kLanes];  ///< The same, lower 32 bits.
  int64_t lowest, highest;  ///< Over all active lanes; `highest` is one past the last byte.
  uint32_t mask;            ///< 0 if no pattern is known yet.
  uint32_t alignment;       ///< All differences, combined by OR.
  uint16_t distinctBytes;
  uint8_t run;     ///< Lanes in a row with adjacent addresses: 32, 16, 8, 4, or 0.
  uint8_t repeat;  ///< Lanes in a row with equal addresses: 32, 16, 8, 4, or 0.
  uint8_t wavefronts, conflicts;
  uint8_t sectors[32];  ///< By the first address modulo 32; 0 if not counted yet.
};

enum FloatCount : uint8_t { kNoFloat, kFfma, kFadd, kFmul };

/// Counters of one epoch on one worker, as defined in trace/counters.h.
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

struct Region {
  uint64_t start;  ///< Virtual address of its first byte.
  uint64_t bytes;
  uint8_t* host;
  uint8_t* shadow;  ///< One byte per byte, set to 1 when written; null if not recorded.
  bool writable;
  bool counted;  ///< Accesses count as accesses to global memory.
  /// One byte per byte, 1 if it is allocated, read atomically; null if all bytes are allocated.
  const uint8_t* given = nullptr;
  ByteUse use = {};  ///< Recorded if the launch is checked.
};

enum class Terminator : uint8_t {
  fall,
  branch,
  spin,      ///< A branch of a loop that may wait for other threads.
  indexed,   ///< brx: `row` is an index into the block's part of Context::targets.
  only,      ///< Lanes whose guard holds go to `target` first, and all reconverge at `next`.
  call,      ///< A call of `target`, which returns to `next`.
  indirect,  ///< A call of the function with the address in `row`.
  back,      ///< A return to the caller.
  exit,
  together,  ///< Waits for the lanes in `row`'s mask, then runs `shared` operations together.
  barrier,
};

/// What lanes that arrive at a block still execute: `exit` if only branches and the kernel's
/// return, `back` if only branches and a device function's return, else `work`.
enum class Ahead : uint8_t { work, exit, back };

/// The task of a barrier in addition to counting threads.
enum class BarrierKind : uint8_t { sync, arrive, popc, all, any };

/// A part of a program that runs from its begin to its end, then its terminator. It is a basic
/// block of the PTX (ptx/analysis/control_flow.h) or a part of one, because calls, barriers and
/// operations of all lanes together also end it. If warps run in another order, so do accesses that
/// other threads may see.
struct DecodedBlock {
  uint32_t begin = 0, end = 0;  ///< Micro-operations.
  Terminator terminator = Terminator::fall;
  Ahead ahead = Ahead::work;
  uint32_t next = kNoBlock;        ///< The block of lanes that do not branch.
  uint32_t target = kNoBlock;      ///< brx: index of the first target in Context::targets.
  uint32_t reconverge = kNoBlock;  ///< kNoBlock if only at the exit.
  uint32_t guard = kNoRow;         ///< kNoRow if unconditional.
  bool guardNegated = false;
  BarrierKind barrier = BarrierKind::sync;
  bool aligned = true;  ///< A barrier that all lanes of a warp must reach together.
  /// Row of the barrier's number (kNoRow means 0), of the mask or of the index.
  uint32_t row = kNoRow;
  uint32_t barrierThreads = kNoRow;  ///< Row of the number of threads; kNoRow means all.
  uint32_t result = kNoRow;     ///< Reducing barriers: row of the resulting predicate or count.
  uint32_t predicate = kNoRow;  ///< The operand of a reduction.
  bool predicateNegated = false;
  uint32_t shared = 0;        ///< Micro-operations after `end` that the lanes run together.
  uint32_t targets = 0;       ///< brx: number of targets.
  uint32_t source = 0;        ///< Instruction index of the terminator.
  uint32_t instructions = 0;  ///< PTX instructions, including the terminator.
  bool yields = false;        ///< Falls through to an access that other threads may see.
  bool waits = false;         ///< Is in a loop that may wait for other threads.
  uint32_t floats[4] = {};    ///< Unguarded float operations, by FloatCount.
};

constexpr uint32_t kNoPath = 0xffffffff;

/// The position of some lanes of a warp. A path that has split or called a function waits at its
/// `block` for its children. The other paths run, one at a time, or wait for other threads.
struct Path {
  enum class Wait : uint8_t { nothing, together, barrier };
  uint32_t block;  ///< Next to run.
  uint32_t mask;
  uint32_t reconverge;  ///< The end of this path; kNoBlock means the exit or the function's return.
  uint32_t parent;      ///< Index of a preceding path; kNoPath if there is no parent.
  uint16_t children;
  Wait wait;
  bool called;       ///< This path waits for its lanes to return from a call.
  uint32_t members;  ///< While waiting for lanes: their mask.
  uint32_t barrier;  ///< While waiting at a barrier: the barrier's number,
  uint32_t threads;  ///< and the number of threads that it expects; 0 means all.
};

struct Paths {
  Path* paths;  ///< The warp's, `capacity` of them allocated.
  uint32_t count, capacity;
  uint32_t current;  ///< The running path; kNoPath if none can run.
  int64_t patience;  ///< Blocks that the current path may still run while others could run.
  bool spun;         ///< The current path passed through a loop that may wait for other threads.
  bool turns;  ///< Some lanes wait for others, so paths take turns until all have reconverged.
};

/// 32 lanes need no more paths. Each split leaves two paths with fewer lanes and one that waits.
constexpr uint32_t kMostSplits = 2 * kLanes + 2;
constexpr int64_t kPatience = 1 << 20;

struct Warp {
  Paths paths;
  uint8_t* registers;
  uint32_t live;            ///< Lanes that exist and have not exited.
  uint32_t index;           ///< In the block.
  uint32_t epoch;           ///< Barriers completed.
  uint32_t barrierSource;   ///< The latest barrier: its instruction index,
  uint32_t barrierLanes;    ///< the lanes that reached it,
  uint32_t barrier;         ///< its number,
  uint32_t barrierThreads;  ///< and the number of threads that it expects; 0 means all.
  uint32_t exitSource;  ///< Instruction index of the latest exit of lanes; kNoPath if none exited.
  uint64_t clock;       ///< Instructions executed.
};

/// Why the core returned a warp. After `blocked`, no path can continue without other warps. After
/// `tooDeep` and the values below it, the warp cannot continue.
enum class Pause : uint8_t {
  finished,
  blocked,
  arrived,
  quantum,
  tooDeep,
  noFunction,
  noLabel,    ///< An index past the table of a branch.
  badBarrier  ///< Warp::barrierThreads is not a valid number of threads for a barrier.
};

enum class AccessFault : uint8_t {
  outOfBounds,
  misaligned,
  readOnly,  ///< A store, or an atomic operation that would change the value; it is skipped.
  input,     ///< As readOnly, for an operand that the launch may only read.
  uninitialised,
  valueless,      ///< A read of memory in which a value that was never set was stored.
  valuelessCopy,  ///< As valueless, but possibly correct, like `copied`.
  copied,         ///< As uninitialised, but possibly correct, because the unset part may be unused.
  outsideArray,
  outsideRow,
  outsideAllocation,  ///< In the device heap.
  unset,              ///< A register without a value, not memory.
  absent              ///< As unset, because a shuffle read it from a lane that does not take part.
};

struct CheckState;

/// Everything that the core accesses while a warp runs.
struct Context {
  alignas(64) uint32_t lanes[kLanes];  ///< All ones for an active lane, else 0.
  uint32_t mask;                       ///< The same as a bit mask.
  uint8_t* registers;                  ///< The warp's.
  Warp* warp;
  Counts* counts;  ///< Counts of the warp's epoch; null if not counting.
  /// By basic block: kReached and kParted of its branch, recorded if `counts` is not null.
  uint8_t* branched;
  const Instr* code[2];  ///< [0] is the code for all live lanes, [1] for some of them.
  const DecodedBlock* blocks;
  const uint32_t* targets;    ///< Target blocks of brx.
  const uint32_t* functions;  ///< By function index: its first block, if it is called by address.
  uint32_t functionCount;
  AddressPattern* memos;
  const Region* regions;
  const uint16_t* cells;  ///< AddressMap::cells().
  Region shared, param;
  uint8_t* local;  ///< The warp's local memory, localBytes per lane.
  uint64_t localBytes;
  uint32_t quantum;      ///< Basic blocks until the warp is returned.
  const uint32_t* stop;  ///< If *stop is not 0, the core returns the warp soon.
  bool alone;            ///< No other host thread runs blocks of this launch.
  /// If not 0, determines the varying order in which lanes execute atomic operations.
  uint64_t laneOrder;
  /// If not 0, determines when lanes diverge at random and which side of a branch goes first.
  uint64_t apart;
  void (*fault)(Context&, const Instr&, uint32_t lane, AccessFault, uint64_t address);
  void (*before)(Context&, const Instr&);  ///< Around observed instructions.
  void (*after)(Context&, const Instr&);
  /// Called with the lanes that run a Terminator::together, before it runs; may be null.
  void (*called)(Context&, const DecodedBlock&, uint32_t lanes);
  /// As `called`, but after it has run.
  void (*met)(Context&, const DecodedBlock&, uint32_t lanes);
  void* owner;
  CheckState* check;  ///< Null if the launch is not checked.
};

/// The number of blocks that a warp may run before another warp gets its turn. An iteration of a
/// loop that may wait for other threads counts as kSpinCost, and a block that yields as kYieldCost.
constexpr uint32_t kQuantum = 1 << 14;
constexpr uint32_t kSpinCost = 1 << 8;
constexpr uint32_t kYieldCost = 1 << 5;

/// The core, compiled for one instruction set. Functions return null for unknown operations.
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
  Handler masked[2];   ///< Runs `op` and keeps inactive lanes; [0] narrow, [1] wide result.
  Handler guarded[3];  ///< Like `masked`, under a guard; [2] for memory.
  Handler observed;    ///< Runs `before`, `traced`, `after`.
  Handler checked;     ///< For memory: checks the access, then runs it.
  Handler checkedFence;
  void (*start)(Warp&, uint32_t lanes);  ///< At block 0.
  Pause (*run)(Context&);
  /// Lets the paths that wait at `barrier` continue. Returns true if there are any.
  bool (*release)(Warp&, const DecodedBlock*, uint32_t barrier);
};

}  // namespace tilestep::simt
