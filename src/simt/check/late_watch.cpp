// SPDX-License-Identifier: Apache-2.0
#include "simt/check/late_watch.h"

#include <algorithm>

#include "simt/check/state.h"

namespace tilestep::simt {
namespace {

uint64_t* timesAt(const Context& context, uint32_t row) {
  return reinterpret_cast<uint64_t*>(context.registers + row);
}

/// Notes in wide row `d` when the load behind it runs (CheckState::time).
void noteLoad(Context& context, const Instr& in) {
  for (uint32_t mask = context.mask; mask != 0; mask &= mask - 1)
    timesAt(context, in.d)[__builtin_ctz(mask)] = context.check->time + 1;
}

/// Notes that the lanes of row `d` hold something else.
void forgetLoad(Context& context, const Instr& in) {
  for (uint32_t mask = context.mask; mask != 0; mask &= mask - 1)
    timesAt(context, in.d)[__builtin_ctz(mask)] = 0;
}

/// Notes that the lanes of row `d` hold what is computed from those of `a` and `b`; of a predicate
/// `c`, only where it is as `elements` says (0: true, 1: false).
void passLoad(Context& context, const Instr& in) {
  const uint32_t* predicate =
      in.c == kNoRow ? nullptr : reinterpret_cast<uint32_t*>(context.registers + in.c);
  for (uint32_t mask = context.mask; mask != 0; mask &= mask - 1) {
    const int lane = __builtin_ctz(mask);
    const bool isTaken = predicate == nullptr || (predicate[lane] != 0) != (in.elements != 0);
    timesAt(context, in.d)[lane] =
        isTaken ? std::max(timesAt(context, in.a)[lane], timesAt(context, in.b)[lane]) : 0;
  }
}

}  // namespace

LateWatch::LateWatch(const ptx::Function& function, const ptx::ControlFlow& flow, Meetings meetings,
                     Emitter& e) {
  for (const LateLoad& late : lateLoads(function, flow, meetings)) {
    Load& load = loads_[late.load];
    for (const uint32_t reg : late.registers) load.rows[reg] = e.newZeroRow();
    for (const LateLoad::Use& use : late.uses) uses_.emplace(use.at, std::pair(late.load, use));
    for (const LateLoad::Step& step : late.steps)
      steps_.emplace(step.at, std::pair(late.load, step));
    for (const LateLoad::End& end : late.ends) ends_.emplace(end.at, std::pair(late.load, end));
  }
}

void LateWatch::look(Emitter& e, const Load& load, const LateLoad::Use& use) {
  Instr instr;
  instr.op = e.engine().checkedLate;
  instr.site = load.site;
  instr.a = load.rows.at(use.from);
  instr.c = use.predicate == ptx::kNone ? kNoRow : e.rowOf(use.predicate);
  instr.elements = use.whereFalse ? 1 : 0;
  e.emitCompanion(instr);
}

void LateWatch::follow(Emitter& e, uint32_t index) {
  const auto emit = [&](Handler op, uint32_t row) {
    Instr instr;
    instr.op = op;
    instr.d = row;
    e.emitCompanion(instr);
  };
  const auto [firstUse, lastUse] = uses_.equal_range(index);
  for (auto at = firstUse; at != lastUse; ++at) {
    const auto& [load, use] = at->second;
    e.begin(index, use.asGuard);
    look(e, loads_.at(load), use);
  }
  e.begin(index);
  const auto [firstStep, lastStep] = steps_.equal_range(index);
  for (auto at = firstStep; at != lastStep; ++at) {
    const auto& [load, step] = at->second;
    const auto& rows = loads_.at(load).rows;
    Instr instr;
    instr.op = passLoad;
    instr.d = rows.at(step.to);
    instr.a = rows.at(step.from.front());
    instr.b = rows.at(step.from.back());
    instr.c = step.predicate == ptx::kNone ? kNoRow : e.rowOf(step.predicate);
    instr.elements = step.whereFalse ? 1 : 0;
    e.emitCompanion(instr);
  }
  const auto [firstEnd, lastEnd] = ends_.equal_range(index);
  for (auto at = firstEnd; at != lastEnd; ++at) {
    const auto& [load, end] = at->second;
    emit(forgetLoad, loads_.at(load).rows.at(end.reg));
  }
  if (const auto load = loads_.find(index); load != loads_.end())
    emit(noteLoad, load->second.rows.at(e.instruction().operands.front().reg));
}

}  // namespace tilestep::simt
