// SPDX-License-Identifier: Apache-2.0
#include "simt/check/late_watch.h"

#include "simt/check/state.h"

namespace tilestep::simt {
namespace {

/// Leaves in wide row `d` when the load behind it runs (CheckState::time).
void noteLoad(Context& context, const Instr& in) {
  auto* times = reinterpret_cast<uint64_t*>(context.registers + in.d);
  for (uint32_t mask = context.mask; mask != 0; mask &= mask - 1)
    times[__builtin_ctz(mask)] = context.check->time + 1;
}

/// Leaves there that its lanes hold another value.
void forgetLoad(Context& context, const Instr& in) {
  auto* times = reinterpret_cast<uint64_t*>(context.registers + in.d);
  for (uint32_t mask = context.mask; mask != 0; mask &= mask - 1) times[__builtin_ctz(mask)] = 0;
}

}  // namespace

LateWatch::LateWatch(const ptx::Function& function, const ptx::ControlFlow& flow, Emitter& e) {
  for (const LateLoad& late : lateLoads(function, flow)) {
    loads_[late.load].row = e.newZeroRow();
    for (const LateLoad::Use& use : late.uses) uses_[use.at].push_back({late.load, use});
    for (const uint32_t other : late.others) others_[other].push_back(late.load);
  }
}

void LateWatch::follow(Emitter& e, uint32_t index) {
  const auto emit = [&](Handler op, uint32_t row) {
    Instr instr;
    instr.op = op;
    instr.d = row;
    e.emitCompanion(instr);
  };
  if (const auto uses = uses_.find(index); uses != uses_.end()) {
    for (const Use& use : uses->second) {
      Instr instr;
      instr.op = e.engine().checkedLate;
      instr.site = loads_.at(use.load).site;
      instr.a = loads_.at(use.load).row;
      instr.c = use.what.predicate == ptx::kNone ? kNoRow : e.rowOf(use.what.predicate);
      instr.elements = use.what.whereFalse ? 1 : 0;
      e.begin(index, use.what.asGuard);
      e.emitCompanion(instr);
    }
    e.begin(index);
  }
  if (const auto others = others_.find(index); others != others_.end())
    for (const uint32_t load : others->second) emit(forgetLoad, loads_.at(load).row);
  if (const auto load = loads_.find(index); load != loads_.end()) emit(noteLoad, load->second.row);
}

}  // namespace tilestep::simt
