// SPDX-License-Identifier: Apache-2.0
// The loop that runs a warp, masks and guards, and the table of one copy of the core.
#include "simt/engine/core.h"
#include "simt/engine/paths.h"

namespace tilestep::simt::TILESTEP_ENGINE {
namespace {

void setMask(Context& context, uint32_t mask) {
  context.mask = mask;
  for (uint32_t i = 0; i < kLanes; ++i) context.lanes[i] = 0u - ((mask >> i) & 1u);
}

/// The lanes whose predicate is true; a predicate row holds all ones or zero.
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
  PathStack(warp.paths).start(lanes);
  warp.live = lanes;
  warp.epoch = 0;
  warp.clock = 0;
}

void countBlock(Counts& counts, const BasicBlock& block, uint32_t mask) {
  const auto threads = static_cast<uint64_t>(__builtin_popcount(mask));
  counts.threadInstructions += threads * block.instructions;
  counts.warpInstructions += block.instructions;
  for (uint32_t i = kFfma; i <= kFmul; ++i) counts.floats[i] += threads * block.floats[i];
}

uint32_t guardedLanes(const Context& context, const BasicBlock& block) {
  if (block.guard == kNoRow) return context.mask;
  const uint32_t predicate = trueLanes(context, block.guard);
  return context.mask & (block.guardNegated ? ~predicate : predicate);
}

/// True: the warp waits, or cannot.
bool atBarrier(Context& context, const BasicBlock& block, PathStack& paths, Pause& pause) {
  Warp& warp = *context.warp;
  const uint32_t lanes = guardedLanes(context, block);
  if (lanes == 0) {
    paths.go(block.next);
    return false;
  }
  warp.barrierSource = block.source;
  if (lanes != warp.live) {
    pause = Pause::divergentBarrier;
    return true;
  }
  const auto valueOf = [&](uint32_t operand) {
    return operand == kNoRow ? 0 : row<uint32_t>(context.registers, operand)[__builtin_ctz(lanes)];
  };
  warp.barrier = valueOf(block.barrierRow);
  warp.barrierThreads = valueOf(block.barrierThreads);
  if (context.counts != nullptr) ++context.counts->barriers;
  paths.go(block.next);
  pause = Pause::barrier;
  return true;
}

void branch(Context& context, const BasicBlock& block, PathStack& paths) {
  const uint32_t taken = guardedLanes(context, block);
  if (taken == context.mask) return paths.go(block.target);
  if (taken == 0) return paths.go(block.next);
  if (context.counts != nullptr) ++context.counts->divergentBranches;
  paths.split(taken, block.target, block.next, block.reconverge);
}

void leave(Context& context, const BasicBlock& block, PathStack& paths) {
  const uint32_t lanes = guardedLanes(context, block);
  context.warp->live &= ~lanes;
  paths.leave(lanes, block.next);
}

Pause run(Context& context) {
  Warp& warp = *context.warp;
  PathStack paths(warp.paths);
  context.registers = warp.registers;
  for (uint32_t left = kQuantum; !paths.finished(); --left) {
    if (left == 0 || __atomic_load_n(context.stop, __ATOMIC_RELAXED) != 0) return Pause::quantum;
    if (context.mask != paths.mask()) setMask(context, paths.mask());
    const BasicBlock& block = context.blocks[paths.block()];
    const Instr* code = context.code[context.mask != warp.live];
    for (uint32_t i = block.begin; i != block.end; ++i) code[i].run(context, code[i]);
    warp.clock += block.instructions;
    if (context.counts != nullptr) countBlock(*context.counts, block, context.mask);
    Pause pause = Pause::finished;
    switch (block.terminator) {
      case Terminator::fall:
        paths.go(block.next);
        break;
      case Terminator::branch:
        branch(context, block, paths);
        break;
      case Terminator::exit:
        leave(context, block, paths);
        break;
      case Terminator::barrier:
        if (atBarrier(context, block, paths, pause)) return pause;
        break;
    }
  }
  return Pause::finished;
}

Handler arithmetic(Op op, Lane type, Round round) {
  const bool real = type == Lane::f32 || type == Lane::f64;
  return real ? floatArithmetic(op, type, round) : integerArithmetic(op, type);
}

constexpr Engine kEngine{
    TILESTEP_ENGINE_NAME,
    arithmetic,
    compare,
    convert,
    load,
    store,
    warpOperation,
    atomicOperation,
    {masked<uint32_t>, masked<uint64_t>},
    {guarded<uint32_t>, guarded<uint64_t>, guarded<NoResult>},
    observed,
    checked,
    start,
    run,
};

}  // namespace

const Engine& engine() {
  return kEngine;
}

}  // namespace tilestep::simt::TILESTEP_ENGINE
