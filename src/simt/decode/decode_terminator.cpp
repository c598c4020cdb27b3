// SPDX-License-Identifier: Apache-2.0
// Decodes the ends of blocks: branches, exits, barriers, and operations of all lanes together.
#include "ptx/analysis/branches.h"
#include "ptx/analysis/uses.h"
#include "simt/decode/decode_function.h"
#include "simt/run/device_calls.h"

namespace tilestep::simt {

using ptx::Instruction;
using ptx::Opcode;

/// The block in which the instruction takes effect. This is the instruction's own block or its twin
/// (Extra::twin), which only the lanes with a true guard reach.
DecodedBlock& FunctionDecoder::terminated(uint32_t index) {
  DecodedBlock& own = block(blockOf_[index]);
  own.source = rows_.first + index;
  own.next = blockAt(index + 1);
  const auto extra = extras_.find(index);
  if (extra == extras_.end() || extra->second.twin == kNoBlock) return own;
  own.end = state_.emitter.size();
  own.target = extra->second.twin;
  if (isGuarded(body_[index])) {
    own.terminator = Terminator::only;
    own.guard = state_.emitter.rowOf(body_[index].guard.reg);
    own.guardNegated = body_[index].guard.negated;
  } else {
    own.next = own.target;
  }
  DecodedBlock& twin = block(extra->second.twin);
  twin.begin = twin.end = state_.emitter.size();
  twin.source = rows_.first + index;
  twin.next = blockAt(index + 1);
  return twin;
}

void FunctionDecoder::terminate(uint32_t index) {
  const Instruction& instruction = body_[index];
  if (instruction.opcode == Opcode::bra) return branch(index);
  if (instruction.opcode == Opcode::brx) return indexedBranch(index);
  if (instruction.opcode == Opcode::trap) return trap(index);
  if (instruction.opcode == Opcode::call) return call(index);
  if (isExit(instruction)) return leave(index);
  if (isBlockBarrier(instruction)) return barrier(index);
  together(index);
}

void FunctionDecoder::branch(uint32_t index) {
  const Instruction& instruction = body_[index];
  DecodedBlock& own = terminated(index);
  own.terminator = spins_[index] ? Terminator::spin : Terminator::branch;
  own.target = blockAt(instruction.operands[0].target);
  if (isGuarded(instruction)) {
    own.guard = state_.emitter.rowOf(instruction.guard.reg);
    own.guardNegated = instruction.guard.negated;
  }
  if (flow_.reconvergence[index] <= body_.size()) {
    own.reconverge = blockAt(flow_.reconvergence[index]);
  }
}

void FunctionDecoder::indexedBranch(uint32_t index) {
  const Instruction& instruction = body_[index];
  if (isGuarded(instruction)) state_.emitter.refuse("it is not supported with a guard");
  const std::vector<uint32_t>& targets = ptx::branchTable(*rows_.function, instruction).targets;
  if (targets.empty()) state_.emitter.refuse("its table is empty");
  const uint32_t row = state_.emitter.read(state_.emitter.operand(0), Lane::u32);
  DecodedBlock& own = terminated(index);
  own.end = state_.emitter.size();
  own.terminator = Terminator::indexed;
  own.row = row;
  own.target = static_cast<uint32_t>(state_.program.targets.size());
  own.targets = static_cast<uint32_t>(targets.size());
  for (const uint32_t target : targets) state_.program.targets.push_back(blockAt(target));
  if (flow_.reconvergence[index] <= body_.size()) {
    own.reconverge = blockAt(flow_.reconvergence[index]);
  }
}

void FunctionDecoder::leave(uint32_t index) {
  const Instruction& instruction = body_[index];
  const bool back = self_ != 0 && instruction.opcode == Opcode::ret;
  if (back) epilogue();
  DecodedBlock& own = terminated(index);
  own.end = state_.emitter.size();
  own.terminator = back ? Terminator::back : Terminator::exit;
  if (!isGuarded(instruction)) return;
  own.guard = state_.emitter.rowOf(instruction.guard.reg);
  own.guardNegated = instruction.guard.negated;
}

void FunctionDecoder::trap(uint32_t index) {
  Instr instr;
  instr.op = stopAtTrap;
  state_.emitter.emitOfWarp(instr);
  leave(index);
}

/// bar.sync, bar.arrive, bar.red and their barrier forms. bar and barrier.aligned are for whole
/// warps.
void FunctionDecoder::barrier(uint32_t index) {
  Emitter& e = state_.emitter;
  const Instruction& in = body_[index];
  const bool reduces = in.has("red");
  const size_t first = reduces ? 1 : 0;
  if (!in.has("sync") && !in.has("arrive") && !reduces)
    return e.refuse("this form is not supported");
  const bool hasPredicate = reduces && in.operands.size() > 2;
  if (reduces && !hasPredicate) return e.refuse("it has too few operands");
  const size_t last = in.operands.size() - (hasPredicate ? 1 : 0);
  uint32_t number = kNoRow, threads = kNoRow, result = kNoRow, predicate = kNoRow;
  if (last > first) number = e.read(e.operand(first), Lane::u32);
  if (last > first + 1) threads = e.read(e.operand(first + 1), Lane::u32);
  if (in.has("arrive") && threads == kNoRow) return e.refuse("its number of threads is missing");
  if (reduces) {
    result = e.write(e.operand(0), Lane::u32);
    predicate = e.readPredicate(e.operand(last));
  }
  block(blockOf_[index]).end = e.size();
  DecodedBlock& own = terminated(index);
  own.terminator = Terminator::barrier;
  own.row = number;
  own.barrierThreads = threads;
  own.result = result;
  own.predicate = predicate;
  own.aligned = in.opcode == Opcode::bar || in.has("aligned");
  if (in.has("arrive")) own.barrier = BarrierKind::arrive;
  if (reduces) {
    own.barrier = in.has("popc")  ? BarrierKind::popc
                  : in.has("and") ? BarrierKind::all
                                  : BarrierKind::any;
  }
}

/// The operation's micro-operations follow the block's end (DecodedBlock::shared), so that diverged
/// lanes run them together.
void FunctionDecoder::together(uint32_t index) {
  Emitter& e = state_.emitter;
  const Instruction& in = body_[index];
  const size_t mask = in.operands.size() - 1;
  const bool named = in.opcode != Opcode::shfl || in.operands.size() > 4;
  uint32_t row = kNoRow;
  if (in.opcode == Opcode::mma) {
    row = e.constant(0xffffffffu, Lane::u32);  // All lanes that have not exited.
  } else if (!in.operands.empty() && named)
    row = e.read(e.operand(mask), Lane::u32);
  block(blockOf_[index]).end = e.size();
  DecodedBlock& own = terminated(index);
  own.terminator = Terminator::together;
  own.row = row;
  if (unsetWatch_) unsetWatch_->followTogether(e, index);
  if (ptx::effectOf(in) != ptx::Effect::barrier) decodePlain();
  own.shared = e.size() - own.end;
}

}  // namespace tilestep::simt
