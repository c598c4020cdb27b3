// SPDX-License-Identifier: Apache-2.0
// Masks, guards, the loop that runs a warp, and the function table of this copy of the core.
#include "simt/engine/core.h"
#include "simt/engine/paths.h"
#include "simt/engine/turns.h"

namespace tilestep::simt::TILESTEP_ENGINE {
namespace {

void setMask(Context& context, uint32_t mask) {
  context.mask = mask;
  for (uint32_t i = 0; i < kLanes; ++i) context.lanes[i] = 0u - ((mask >> i) & 1u);
}

/// The lanes whose predicate is true. In a predicate row, true is all ones and false is 0.
uint32_t trueLanes(const Context& context, uint32_t predicate) {
  const uint32_t* values = row<uint32_t>(context.registers, predicate);
  uint32_t bits = 0;
  for (uint32_t i = 0; i < kLanes; ++i) bits |= values[i] & (1u << i);
  return bits;
}

template <class C>
inline void keepInactive(Context& context, const Instr& in) {
  C* target = row<C>(context.registers, in.target);
  const C* result = row<C>(context.registers, in.d);
  TILESTEP_LANES
  for (uint32_t i = 0; i < kLanes; ++i) target[i] = context.lanes[i] != 0 ? result[i] : target[i];
}

template <class C>
void masked(Context& context, const Instr& in) {
  in.op(context, in);
  keepInactive<C>(context, in);
}

struct NoResult {};

template <class C>
void guarded(Context& context, const Instr& in) {
  const uint32_t before = context.mask;
  const uint32_t predicate = trueLanes(context, in.guard);
  const uint32_t mask = before & (in.guardNegated ? ~predicate : predicate);
  if (mask == 0) return;
  setMask(context, mask);
  in.op(context, in);
  if constexpr (!__is_same(C, NoResult)) keepInactive<C>(context, in);
  if (in.counts != kNoFloat && context.counts != nullptr) {
    context.counts->floats[in.counts] += static_cast<uint64_t>(__builtin_popcount(mask));
  }
  setMask(context, before);
}

void observed(Context& context, const Instr& in) {
  context.before(context, in);
  in.traced(context, in);
  context.after(context, in);
}

void start(Warp& warp, uint32_t lanes) {
  PathTree(warp.paths).start(lanes);
  warp.live = lanes;
  warp.epoch = 0;
  warp.clock = 0;
  warp.exitSource = kNoPath;
}

void countBlock(Counts& counts, const DecodedBlock& block, uint32_t mask) {
  const auto threads = static_cast<uint64_t>(__builtin_popcount(mask));
  counts.threadInstructions += threads * block.instructions;
  counts.warpInstructions += block.instructions;
  for (uint32_t i = kFfma; i <= kFmul; ++i) counts.floats[i] += threads * block.floats[i];
}

uint32_t guardedLanes(const Context& context, const DecodedBlock& block) {
  if (block.guard == kNoRow) return context.mask;
  const uint32_t predicate = trueLanes(context, block.guard);
  return context.mask & (block.guardNegated ? ~predicate : predicate);
}

uint32_t valueAt(const Context& context, uint32_t operand, uint32_t lane) {
  return operand == kNoRow ? 0 : row<uint32_t>(context.registers, operand)[lane];
}

void countBranch(const Context& context, const DecodedBlock& block) {
  if (context.counts == nullptr) return;
  ++context.counts->branches;
  context.branched[&block - context.blocks] |= kReached;
}

void countParting(const Context& context, const DecodedBlock& block) {
  if (context.counts == nullptr) return;
  ++context.counts->divergentBranches;
  context.branched[&block - context.blocks] |= kParted;
}

void branch(Context& context, const DecodedBlock& block, PathTree& paths) {
  const uint32_t taken = guardedLanes(context, block);
  if (block.guard != kNoRow) countBranch(context, block);
  if (taken == context.mask) return paths.go(block.target);
  if (taken == 0) return paths.go(block.next);
  countParting(context, block);
  if (context.apart == 0) return paths.split(taken, block.target, block.next, block.reconverge);
  const bool othersFirst = (draw(context.apart) & 1) != 0;
  paths.splitInAnyOrder(taken, block.target, block.next, block.reconverge, othersFirst);
}

/// Sometimes lets some lanes run before the others. A few groups suffice to expose what lockstep
/// hides.
bool comeApart(Context& context, const DecodedBlock& block, PathTree& paths) {
  constexpr uint32_t kFew = 4;
  if (context.apart == 0 || paths.count() >= kFew || block.next == paths.now().reconverge)
    return false;
  const uint64_t bits = draw(context.apart);
  const uint32_t lanes = context.mask & static_cast<uint32_t>(bits >> 32);
  if ((bits & 3) != 0 || lanes == 0 || lanes == context.mask) return false;
  paths.part(lanes, block.next);
  return true;
}

bool allHaveLabels(const Context& context, const DecodedBlock& block) {
  const uint32_t* indices = row<uint32_t>(context.registers, block.row);
  for (uint32_t mask = context.mask; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<uint32_t>(__builtin_ctz(mask));
    if (indices[lane] >= block.targets) return false;
  }
  return true;
}

/// Splits the path by branch target. Every index must have a label.
void indexedBranch(Context& context, const DecodedBlock& block, PathTree& paths) {
  const uint32_t* indices = row<uint32_t>(context.registers, block.row);
  const auto targetOf = [&](uint32_t lane) {
    return context.targets[block.target + indices[lane]];
  };
  uint32_t left = context.mask;
  const auto take = [&](uint32_t target) {
    uint32_t lanes = 0;
    for (uint32_t mask = left; mask != 0; mask &= mask - 1) {
      const auto lane = static_cast<uint32_t>(__builtin_ctz(mask));
      if (targetOf(lane) == target) lanes |= 1u << lane;
    }
    left &= ~lanes;
    return lanes;
  };
  const uint32_t first = targetOf(static_cast<uint32_t>(__builtin_ctz(left)));
  const uint32_t together = take(first);
  countBranch(context, block);
  if (left == 0) return paths.go(first);
  countParting(context, block);
  uint32_t meeting = block.reconverge;
  const uint32_t parent = paths.open(meeting);
  if (first != meeting) paths.add(parent, first, together, meeting);
  while (left != 0) {
    const uint32_t target = targetOf(static_cast<uint32_t>(__builtin_ctz(left)));
    const uint32_t lanes = take(target);
    if (target != meeting) paths.add(parent, target, lanes, meeting);
  }
  paths.close(parent);
}

/// A guarded instruction that ends a block. Block `target` contains the instruction without a
/// guard.
void only(Context& context, const DecodedBlock& block, PathTree& paths) {
  const uint32_t taken = guardedLanes(context, block);
  if (taken == context.mask) return paths.go(block.target);
  if (taken == 0) return paths.go(block.next);
  paths.split(taken, block.target, block.next, block.next);
}

/// Calls the first active lane's function with all lanes that call it. Returns false if its address
/// is not a function's. `room` becomes false if there is no space for another call.
bool indirectCall(Context& context, const DecodedBlock& block, PathTree& paths, bool& room) {
  const uint64_t* addresses = row<uint64_t>(context.registers, block.row);
  const auto lane = static_cast<uint32_t>(__builtin_ctz(context.mask));
  const uint64_t address = addresses[lane];
  const uint64_t index = (address - kCodeStart) / kCodeStride - 1;
  if ((address - kCodeStart) % kCodeStride != 0 || index >= context.functionCount ||
      context.functions[index] == kNoBlock) {
    return false;
  }
  uint32_t same = 0;
  for (uint32_t mask = context.mask; mask != 0; mask &= mask - 1) {
    const auto other = static_cast<uint32_t>(__builtin_ctz(mask));
    if (addresses[other] == address) same |= 1u << other;
  }
  // Only the lanes with the same target make the call. The others wait at this block, which
  // contains nothing but the call, until those lanes return.
  const uint32_t target = context.functions[index];
  room = same == context.mask ? paths.call(target, block.next)
                              : paths.callApart(same, target, block.next);
  return true;
}

void leave(Context& context, const DecodedBlock& block, PathTree& paths) {
  const uint32_t lanes = guardedLanes(context, block);
  if (lanes != 0) context.warp->exitSource = block.source;
  context.warp->live &= ~lanes;
  paths.leave(lanes, block.next);
}

/// Whether two paths wait for each other, at the same instruction or both at barriers of the warp.
bool isOneMeeting(const Context& context, const Path& a, const Path& b) {
  const bool barriers = context.blocks[a.block].shared == 0 && context.blocks[b.block].shared == 0;
  return b.wait == Path::Wait::together && a.members == b.members &&
         (a.block == b.block || barriers);
}

void runTogether(Context& context, const DecodedBlock& block, uint32_t lanes) {
  // Comes first, because the result may overwrite the mask, as in mask = __ballot_sync(mask, …).
  if (context.called != nullptr) context.called(context, block, lanes);
  setMask(context, lanes);
  const Instr* code = context.code[lanes != context.warp->live];
  for (uint32_t i = block.end; i != block.end + block.shared; ++i) code[i].run(context, code[i]);
  if (context.met != nullptr) context.met(context, block, lanes);
}

/// If all lanes for which `waiting` waits have arrived, runs the instruction, lets them continue
/// and returns true.
bool meet(Context& context, const Path& waiting, PathTree& paths) {
  const Path path = waiting;
  uint32_t lanes = 0;
  paths.forEach([&](const Path& other) {
    if (isOneMeeting(context, path, other)) lanes |= other.mask;
  });
  if ((path.members & context.warp->live & ~lanes) != 0) return false;
  const DecodedBlock& block = context.blocks[path.block];
  runTogether(context, block, lanes);
  paths.wake(context.blocks, [&](const Path& other) { return isOneMeeting(context, path, other); });
  return true;
}

/// The sets of lanes in the masks of one path's lanes, as with tiles smaller than a warp.
struct Sets {
  uint32_t lanes[kLanes], named[kLanes], count = 0;
};
Sets setsOf(const Context& context, const DecodedBlock& block) {
  Sets sets;
  for (uint32_t left = context.mask; left != 0; left &= ~sets.lanes[sets.count++]) {
    const uint32_t named = valueAt(context, block.row, static_cast<uint32_t>(__builtin_ctz(left)));
    sets.named[sets.count] = named;
    sets.lanes[sets.count] = 0;
    for (uint32_t mask = left; mask != 0; mask &= mask - 1) {
      const auto lane = static_cast<uint32_t>(__builtin_ctz(mask));
      if (valueAt(context, block.row, lane) == named) sets.lanes[sets.count] |= 1u << lane;
    }
  }
  return sets;
}

/// Runs the instruction separately for each set. If a set must wait for lanes of other paths, each
/// set becomes a path, and all reconverge after the instruction.
void togetherInSets(Context& context, const DecodedBlock& block, PathTree& paths) {
  const uint32_t all = context.mask;
  const Sets sets = setsOf(context, block);
  bool areHere = true;
  for (uint32_t set = 0; set < sets.count; ++set)
    areHere = areHere && (sets.named[set] & context.warp->live & ~all) == 0;
  if (areHere) {
    for (uint32_t set = 0; set < sets.count; ++set) runTogether(context, block, sets.lanes[set]);
    setMask(context, all);
    return paths.go(block.next);
  }
  const uint32_t self = paths.now().block;
  uint32_t meeting = block.next;
  const uint32_t parent = paths.open(meeting);
  for (uint32_t set = 0; set < sets.count; ++set)
    paths.addWaiting(parent, self, sets.lanes[set], meeting, sets.lanes[set] | sets.named[set]);
  paths.close(parent);
  for (uint32_t set = 0; set < sets.count; ++set) {
    Path waiting{};
    paths.forEach([&](const Path& path) {
      const bool isIt = path.wait == Path::Wait::together && path.block == self;
      if (isIt && path.mask == sets.lanes[set]) waiting = path;
    });
    if (waiting.mask != 0) meet(context, waiting, paths);
  }
}

/// shfl.sync and similar instructions. The mask is nearly always that of the current path.
void together(Context& context, const DecodedBlock& block, PathTree& paths) {
  const uint32_t mask = context.mask;
  const uint32_t first = valueAt(context, block.row, static_cast<uint32_t>(__builtin_ctz(mask)));
  if ((mask & ~first) != 0) return togetherInSets(context, block, paths);
  const uint32_t named = mask | first;
  if ((named & context.warp->live & ~mask) == 0) {
    runTogether(context, block, mask);
    return paths.go(block.next);
  }
  Path& path = paths.now();
  path.members = named;
  const Path self = path;
  paths.wait(Path::Wait::together);
  meet(context, self, paths);
}

/// Checks waiting paths again, because lanes for which they wait may have exited.
bool meetLate(Context& context, PathTree& paths) {
  Path waiting[kLanes];
  uint32_t count = 0;
  paths.forEach([&](const Path& path) {
    if (path.wait == Path::Wait::together && count < kLanes) waiting[count++] = path;
  });
  for (uint32_t i = 0; i < count; ++i) {
    if (meet(context, waiting[i], paths)) return true;
  }
  return false;
}

/// Runs the rest of the program of `lanes`, which is only branches and returns.
void runReturns(Context& context, const PathTree& paths, uint32_t path, uint32_t lanes) {
  uint32_t at = paths.at(path).block;
  for (bool exits = false; !exits;) {
    const DecodedBlock& block = context.blocks[at];
    context.warp->clock += block.instructions;
    if (context.counts != nullptr) countBlock(*context.counts, block, lanes);
    exits = block.terminator == Terminator::exit;
    if (exits) context.warp->exitSource = block.source;
    if (block.terminator == Terminator::back) {
      path = paths.callerOf(path);
      at = paths.at(path).block;
    } else {
      at = block.terminator == Terminator::fall ? block.next : block.target;
    }
  }
  context.warp->live &= ~lanes;
}

/// Lets lanes with only returns ahead of them exit, so that no lane waits for them. Called only
/// when all paths wait, so that lanes exit together if they can.
bool letReturn(Context& context, PathTree& paths) {
  return paths.letReturn(context.blocks, [&](uint32_t path, uint32_t lanes) {
    runReturns(context, paths, path, lanes);
  });
}

/// Waits at a barrier, or only arrives. Returns false if the number of threads is invalid; it must
/// be a positive multiple of the warp size (PTX ISA 9.0, barrier).
bool barrier(Context& context, const DecodedBlock& block, PathTree& paths) {
  Warp& warp = *context.warp;
  const auto lane = static_cast<uint32_t>(__builtin_ctz(context.mask));
  warp.barrierSource = block.source;
  warp.barrierLanes = context.mask;
  warp.barrier = valueAt(context, block.row, lane);
  warp.barrierThreads = valueAt(context, block.barrierThreads, lane);
  const bool counts = block.barrierThreads != kNoRow;
  if (counts && (warp.barrierThreads == 0 || warp.barrierThreads % kLanes != 0)) return false;
  const bool waits = block.barrier != BarrierKind::arrive;
  if (context.counts != nullptr && waits) ++context.counts->barriers;
  if (context.met != nullptr) context.met(context, block, context.mask);
  if (!waits) {
    paths.go(block.next);
    return true;
  }
  Path& path = paths.now();
  path.barrier = warp.barrier;
  path.threads = warp.barrierThreads;
  paths.wait(Path::Wait::barrier);
  return true;
}

bool release(Warp& warp, const DecodedBlock* blocks, uint32_t number) {
  return PathTree(warp.paths).wake(blocks, [&](const Path& path) {
    return path.wait == Path::Wait::barrier && path.barrier == number;
  });
}

Pause rest(Context& context, PathTree& paths) {
  Paths& state = context.warp->paths;
  state.patience -= context.quantum;
  const bool spun = state.spun;
  // A quantum may end inside a loop that waits.
  const bool waits = context.blocks[paths.now().block].waits;
  if (spun || state.patience <= 0) paths.yield();
  state.spun = spun || waits;
  return Pause::quantum;
}

Pause run(Context& context) {
  Warp& warp = *context.warp;
  PathTree paths(warp.paths);
  context.registers = warp.registers;
  warp.paths.spun = false;
  for (uint32_t left = context.quantum;; --left) {
    while (!paths.canRun()) {
      if (paths.finished()) return Pause::finished;
      if (!meetLate(context, paths) && !letReturn(context, paths)) return Pause::blocked;
    }
    if (left == 0 || __atomic_load_n(context.stop, __ATOMIC_RELAXED) != 0) {
      return rest(context, paths);
    }
    if (context.mask != paths.now().mask) setMask(context, paths.now().mask);
    const DecodedBlock& block = context.blocks[paths.now().block];
    const Instr* code = context.code[context.mask != warp.live];
    for (uint32_t i = block.begin; i != block.end; ++i) code[i].run(context, code[i]);
    warp.clock += block.instructions;
    if (context.counts != nullptr) countBlock(*context.counts, block, context.mask);
    bool room = true;
    switch (block.terminator) {
      case Terminator::fall:
        if (block.yields) left = left > kYieldCost ? left - kYieldCost : 1;
        if (!block.yields || !comeApart(context, block, paths)) paths.go(block.next);
        break;
      case Terminator::spin:
        left = left > kSpinCost ? left - kSpinCost : 1;
        warp.paths.spun = true;
        [[fallthrough]];
      case Terminator::branch:
        branch(context, block, paths);
        break;
      case Terminator::indexed:
        if (!allHaveLabels(context, block)) return Pause::noLabel;
        indexedBranch(context, block, paths);
        break;
      case Terminator::only:
        only(context, block, paths);
        break;
      case Terminator::call:
        room = paths.call(block.target, block.next);
        break;
      case Terminator::indirect:
        if (!indirectCall(context, block, paths, room)) return Pause::noFunction;
        break;
      case Terminator::back:
        paths.back(guardedLanes(context, block), block.next);
        break;
      case Terminator::exit:
        leave(context, block, paths);
        break;
      case Terminator::together:
        together(context, block, paths);
        break;
      case Terminator::barrier:
        if (!barrier(context, block, paths)) return Pause::badBarrier;
        if (block.barrier == BarrierKind::arrive) return Pause::arrived;
        break;
    }
    if (!room) return Pause::tooDeep;
  }
}

Handler arithmetic(Op op, Lane type, Round round) {
  if (const Handler approximate = approximation(op, type)) return approximate;
  switch (type) {
    case Lane::f32:
      if (const Handler flushed = flushedArithmetic(op, round)) return flushed;
      return floatArithmetic(op, type, round);
    case Lane::f64:
      return floatArithmetic(op, type, round);
    case Lane::f16:
    case Lane::bf16:
    case Lane::f16x2:
    case Lane::bf16x2:
      return round == Round::nearest ? halfArithmetic(op, type) : nullptr;
    default:
      return integerArithmetic(op, type);
  }
}

constexpr Engine kEngine{
    TILESTEP_ENGINE_NAME,
    arithmetic,
    compare,
    convert,
    load,
    store,
    cells,
    warpOperation,
    atomicOperation,
    {masked<uint32_t>, masked<uint64_t>},
    {guarded<uint32_t>, guarded<uint64_t>, guarded<NoResult>},
    observed,
    checked,
    checkedFence,
    start,
    run,
    release,
};

}  // namespace

const Engine& engine() {
  return kEngine;
}

}  // namespace tilestep::simt::TILESTEP_ENGINE
