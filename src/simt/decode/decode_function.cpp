// SPDX-License-Identifier: Apache-2.0
#include "simt/decode/decode_function.h"

#include <algorithm>

#include "ptx/analysis/branches.h"
#include "ptx/analysis/counted.h"
#include "ptx/analysis/liveness.h"
#include "simt/run/device_calls.h"

namespace tilestep::simt {
namespace {

using ptx::Instruction;
using ptx::Opcode;
using Kind = ptx::Operand::Kind;

bool isDeviceCall(const Instruction& i) {
  return i.opcode == Opcode::call && hostHandler(calleeOf(i).name) == nullptr;
}

bool isIndirect(const Instruction& i) {
  return i.opcode == Opcode::call && calleeOf(i).kind == Kind::reg;
}

/// Whether the instruction may read another thread's value, for which a loop may be waiting.
bool mayWait(const Instruction& i) {
  if (i.opcode == Opcode::atom || i.opcode == Opcode::nanosleep) return true;
  return i.opcode == Opcode::ld &&
         (i.isVolatile || i.has("acquire") || i.has("relaxed") || i.has("mmio"));
}

/// Whether the instruction accesses memory that other threads can access.
bool othersMaySee(const Instruction& i) {
  return ptx::accessesMemory(i) && i.space != ptx::Space::param && i.space != ptx::Space::local &&
         i.space != ptx::Space::constant;
}

FloatCount floatCountOf(const Instruction& i) {
  const auto operation = ptx::arithmeticOf(i);
  if (!operation) return kNoFloat;
  using enum ptx::Arithmetic;
  return *operation == ffma ? kFfma : *operation == fadd ? kFadd : kFmul;
}

DecodeRoot decoderOf(Opcode opcode) {
  for (const auto table :
       {decodeArithmetic, decodeBits, decodeCarry, decodeCompare, decodeConvert, decodeMove,
        decodeMemory, decodeAtomic, decodeCopy, decodeWarp, decodeMatrix}) {
    if (const DecodeRoot decode = table(opcode)) return decode;
  }
  return nullptr;
}

/// An unknown instruction does not wait for lanes, because it is rejected.
bool waitsForLanes(const Instruction& i) {
  return joinsLanes(i) && (effectOf(i) == ptx::Effect::barrier || decoderOf(i.opcode) != nullptr);
}

std::string textOf(const Instruction& instruction) {
  std::string text{ptx::toText(instruction.opcode)};
  for (const std::string& suffix : instruction.suffixes) text += "." + suffix;
  return text;
}

}  // namespace

FunctionDecoder::FunctionDecoder(Decoding& state, uint32_t index)
    : state_(state),
      self_(index),
      rows_(state.functions[index]),
      body_(rows_.function->body),
      flow_(ptx::analyseControlFlow(*rows_.function)) {
  cutBlocks();
  findSpinning();
  const ptx::Liveness liveness(*rows_.function, flow_);
  for (uint32_t i = 0; i < body_.size(); ++i) {
    const bool saves = body_[i].opcode == Opcode::call && state_.program.functions[self_].recursive;
    if (saves) liveBehind_[i] = ptx::numbersOf(liveness.after(i));
  }
  if (state_.checked && !state_.program.functions[self_].recursive)
    unsetWatch_ = std::make_unique<UnsetWatch>(*rows_.function, flow_);
  state_.emitter.enter(rows_);
  // Only registers that may be read before they are written need to be zero when a block begins.
  for (const uint32_t reg : ptx::numbersOf(liveness.readBeforeWritten())) {
    const bool wide = ptx::bytesOf(rows_.function->registers[reg].type) == 8;
    state_.program.zeroed.emplace_back(state_.emitter.rowOf(reg), wide ? kWideRow : kNarrowRow);
  }
}

uint32_t FunctionDecoder::newBlock() {
  state_.program.blocks.emplace_back();
  return static_cast<uint32_t>(state_.program.blocks.size() - 1);
}

uint32_t FunctionDecoder::blockAt(uint32_t instruction) const {
  return blockOf_[std::min<size_t>(instruction, body_.size())];
}

bool FunctionDecoder::needsTwin(const Instruction& i) const {
  if (isIndirect(i)) return true;
  return isGuarded(i) && (isBlockBarrier(i) || waitsForLanes(i) || isDeviceCall(i));
}

bool FunctionDecoder::endsBlock(const Instruction& i) const {
  return i.opcode == Opcode::bra || i.opcode == Opcode::brx || i.opcode == Opcode::trap ||
         i.opcode == Opcode::call || isExit(i) || isBlockBarrier(i) || waitsForLanes(i);
}

void FunctionDecoder::cutBlocks() {
  const auto size = static_cast<uint32_t>(body_.size());
  std::vector<bool> starts(size + 1, false);
  starts[size] = true;
  for (const ptx::BasicBlock& basic : flow_.blocks) starts[basic.first] = true;
  for (uint32_t i = 0; i < size; ++i) {
    if (endsBlock(body_[i])) starts[i + 1] = true;
    if (state_.interleaves && othersMaySee(body_[i])) starts[i] = true;
  }
  // The entry begins at block 0. A device function may need extra blocks before its first one.
  const CallGraph::Node& node = state_.program.functions[self_];
  if (node.addressed) thunk_ = newBlock();
  if (node.recursive) prologue_ = newBlock();
  uint32_t current = newBlock();
  for (uint32_t i = 0; i <= size; ++i) {
    if (starts[i] && i != 0) current = newBlock();
    blockOf_.push_back(current);
    if (i == size) break;
    Extra extra;
    if (needsTwin(body_[i])) extra.twin = newBlock();
    if (isDeviceCall(body_[i])) extra.after = newBlock();
    if (extra.twin != kNoBlock || extra.after != kNoBlock) extras_[i] = extra;
  }
  state_.entries.push_back(prologue_ != kNoBlock ? prologue_ : blockOf_[0]);
  std::vector<uint32_t>& addressed = state_.program.addressed;
  addressed.resize(std::max<size_t>(addressed.size(), node.number + 1), kNoBlock);
  addressed[node.number] = thunk_;
}

/// Finds loops that may wait for other threads. These are strongly connected components that
/// contain a mayWait() instruction and have an exit; their backward branches are marked in spins_.
void FunctionDecoder::findSpinning() {
  waits_.assign(body_.size(), false);
  spins_.assign(body_.size(), false);
  const std::vector<uint32_t>& components = flow_.loops.component;
  std::vector<bool> waits(flow_.blocks.size(), false);
  for (uint32_t i = 0; i < body_.size(); ++i) {
    if (mayWait(body_[i])) waits[components[flow_.blockOf[i]]] = true;
  }
  // A loop without an exit does not wait.
  std::vector<bool> isLeft(flow_.blocks.size(), false);
  for (uint32_t at = 0; at < flow_.blocks.size(); ++at) {
    const auto& successors = flow_.blocks[at].successors;
    const bool leaves = successors.empty() || std::ranges::any_of(successors, [&](uint32_t next) {
                          return components[next] != components[at];
                        });
    if (leaves) isLeft[components[at]] = true;
  }
  for (uint32_t i = 0; i < body_.size(); ++i) {
    if (isExit(body_[i])) isLeft[components[flow_.blockOf[i]]] = true;
  }
  for (uint32_t i = 0; i < body_.size(); ++i) {
    const bool goesBack = body_[i].opcode == Opcode::bra && body_[i].operands[0].target <= i;
    const uint32_t component = components[flow_.blockOf[i]];
    waits_[i] = flow_.isInLoop(i) && waits[component] && isLeft[component];
    spins_[i] = goesBack && waits_[i];
  }
}

void FunctionDecoder::run() {
  Emitter& e = state_.emitter;
  e.enter(rows_);
  if (!body_.empty()) prologue();
  for (uint32_t i = 0; i < body_.size(); ++i) decodeInstruction(i);
  // The last block represents the function's end, where threads exit.
  DecodedBlock& end = block(blockOf_.back());
  end.terminator = self_ == 0 ? Terminator::exit : Terminator::back;
  end.begin = end.end = e.size();
  end.next = blockOf_.back();
  end.source = rows_.first + static_cast<uint32_t>(body_.size());
}

/// Copies the parameters of a call by address, and opens the frame of a recursive function.
void FunctionDecoder::prologue() {
  Emitter& e = state_.emitter;
  e.begin(0, true);
  if (thunk_ != kNoBlock) {
    DecodedBlock& thunk = block(thunk_);
    thunk.begin = e.size();
    std::vector<uint32_t> to = rowsOf(rows_, rows_.function->parameters);
    passable(state_.passed, to.size());
    hand({state_.passed.begin(), state_.passed.begin() + static_cast<ptrdiff_t>(to.size())}, to);
    thunk.end = e.size();
    thunk.next = state_.entries[self_];
  }
  if (prologue_ != kNoBlock) {
    DecodedBlock& first = block(prologue_);
    first.begin = e.size();
    Instr open;
    open.op = openFrame;
    open.d = rows_.localRow;
    open.offset = state_.symbols.bytesOfCall(rows_.function);
    open.a = rows_.frameBytes;
    e.emitOfWarp(open);
    first.end = e.size();
    first.next = blockOf_[0];
  }
}

void FunctionDecoder::epilogue() {
  Emitter& e = state_.emitter;
  if (prologue_ != kNoBlock) {
    Instr close;
    close.op = closeFrame;
    close.offset = state_.symbols.bytesOfCall(rows_.function);
    close.a = rows_.frameBytes;
    e.emitOfWarp(close);
  }
  if (thunk_ == kNoBlock) return;
  const std::vector<uint32_t> from = rowsOf(rows_, rows_.function->results);
  passable(state_.returned, from.size());
  hand(from,
       {state_.returned.begin(), state_.returned.begin() + static_cast<ptrdiff_t>(from.size())});
}

void FunctionDecoder::refuse(const Instruction& instruction, const std::string& why) {
  Fault fault;
  fault.kind = "unsupported-instruction";
  fault.line = instruction.outerLine.line;
  fault.message =
      "The interpreter does not support " + textOf(instruction) + " (PTX line " +
      std::to_string(instruction.ptxLine) +
      (fault.line == 0 ? std::string{} : ", source line " + std::to_string(fault.line)) +
      "): " + why + ".";
  addFault(state_.program.refused, std::move(fault));
}

void FunctionDecoder::decodeInstruction(uint32_t index) {
  Emitter& e = state_.emitter;
  DecodedBlock& current = block(blockOf_[index]);
  const uint32_t firstMicro = e.size();
  const bool isFirst = current.instructions == 0;
  if (isFirst) current.begin = firstMicro;
  e.begin(index);
  if (isFirst) e.beginBlock();
  current.instructions += 1;
  current.waits = waits_[index];
  current.end = firstMicro;
  if (unsetWatch_) {
    unsetWatch_->follow(e, index);
    e.begin(index);  // Releases the temporaries.
  }
  current.end = e.size();
  if (endsBlock(body_[index])) {
    terminate(index);
  } else {
    if (self_ == 0 && state_.rowWatch) state_.rowWatch->follow(e, index);
    decodePlain();
    const bool isFollowed = body_[index].opcode == Opcode::ld || body_[index].opcode == Opcode::st;
    if (unsetWatch_ && isFollowed)
      state_.companions[rows_.first + index] = unsetWatch_->companionsOf(index);
    current.end = e.size();
    current.next = blockOf_[index + 1];
    current.yields = state_.interleaves && index + 1 < body_.size() &&
                     current.next != blockOf_[index] && othersMaySee(body_[index + 1]);
  }
  if (e.refused()) refuse(body_[index], *e.refusal());
  count(index, firstMicro);
}

void FunctionDecoder::decodePlain() {
  Emitter& e = state_.emitter;
  if (const DecodeRoot decode = decoderOf(e.instruction().opcode)) return decode(e);
  e.refuse("this instruction is not supported");
}

void FunctionDecoder::count(uint32_t index, uint32_t firstMicro) {
  const FloatCount kind = floatCountOf(body_[index]);
  state_.guardedCounts.resize(state_.emitter.size(), kNoFloat);
  if (kind == kNoFloat || state_.emitter.size() == firstMicro) return;
  if (!isGuarded(body_[index]))
    ++block(blockOf_[index]).floats[kind];
  else
    state_.guardedCounts.back() = kind;
}

}  // namespace tilestep::simt
