// SPDX-License-Identifier: Apache-2.0
// From a function's body to basic blocks of micro-operations.
#include <algorithm>

#include "ptx/accumulators.h"
#include "ptx/control_flow.h"
#include "simt/check/sites.h"
#include "simt/emitter.h"
#include "simt/liveness.h"

namespace tilestep::simt {
namespace {

using ptx::Opcode;

bool isExit(const ptx::Instruction& i) {
  return i.opcode == Opcode::ret || i.opcode == Opcode::exit;
}

bool isBlockBarrier(const ptx::Instruction& i) {
  return (i.opcode == Opcode::bar || i.opcode == Opcode::barrier) && !i.has("warp");
}

bool endsBlock(const ptx::Instruction& i) {
  return i.opcode == Opcode::bra || isExit(i) || isBlockBarrier(i);
}

bool isWarpBarrier(const ptx::Instruction& i) {
  return (i.opcode == Opcode::bar || i.opcode == Opcode::barrier) && i.has("warp");
}

FloatCount floatCountOf(const ptx::Instruction& i) {
  if (i.type != ptx::Type::f32) return kNoFloat;
  switch (i.opcode) {
    case Opcode::fma:
    case Opcode::mad:
      return kFfma;
    case Opcode::add:
    case Opcode::sub:
      return kFadd;
    case Opcode::mul:
      return kFmul;
    default:
      return kNoFloat;
  }
}

DecodeRoot decoderOf(Opcode opcode) {
  for (const auto table : {decodeArithmetic, decodeMove, decodeMemory, decodeAtomic, decodeWarp}) {
    if (const DecodeRoot decode = table(opcode)) return decode;
  }
  return nullptr;
}

std::string textOf(const ptx::Instruction& instruction) {
  std::string text{ptx::toText(instruction.opcode)};
  for (const std::string& suffix : instruction.suffixes) text += "." + suffix;
  return text;
}

class Decoder {
 public:
  Decoder(Program& program, const Symbols& symbols, const Engine& engine, bool checked)
      : program_(program),
        engine_(engine),
        checked_(checked),
        emitter_(program, symbols, engine),
        body_(program.entry->body),
        flow_(ptx::analyseControlFlow(*program.entry)) {}

  void run() {
    for (const uint32_t reg : readBeforeWritten(*program_.entry, flow_)) {
      const bool wide = ptx::bytesOf(program_.entry->registers[reg].type) == 8;
      program_.zeroed.emplace_back(emitter_.rowOf(reg), wide ? kWideRow : kNarrowRow);
    }
    cutBlocks();
    for (uint32_t i = 0; i < body_.size(); ++i) decodeInstruction(i);
    finishBlocks();
    buildCode();
  }

 private:
  void cutBlocks();
  void decodeInstruction(uint32_t index);
  void decodeOrRefuse();
  void terminate(BasicBlock& block, uint32_t index);
  void barrier(BasicBlock& block);
  void count(BasicBlock& block, uint32_t firstMicro);
  void refuse(const ptx::Instruction& instruction, const std::string& why);
  void finishBlocks();
  void buildCode();
  void check(Instr& instr);
  [[nodiscard]] Instr runnable(Instr instr, bool someLanes) const;
  [[nodiscard]] bool isObserved(const Instr& instr, size_t at) const;

  Program& program_;
  const Engine& engine_;
  const bool checked_;
  Emitter emitter_;
  const std::vector<ptx::Instruction>& body_;
  ptx::ControlFlow flow_;
  std::vector<uint32_t> blockOf_;  ///< By body index; one more for the end.
  std::vector<FloatCount> guardedCounts_;
};

void Decoder::cutBlocks() {
  const auto size = static_cast<uint32_t>(body_.size());
  std::vector<bool> starts(size + 1, false);
  starts[0] = starts[size] = true;
  for (uint32_t i = 0; i < size; ++i) {
    if (endsBlock(body_[i])) starts[i + 1] = true;
    if (body_[i].opcode == Opcode::bra) starts[std::min(body_[i].operands[0].target, size)] = true;
    if (flow_.reconvergence[i] <= size) starts[flow_.reconvergence[i]] = true;
  }
  uint32_t block = 0;
  for (uint32_t i = 0; i <= size; ++i) blockOf_.push_back(starts[i] && i != 0 ? ++block : block);
  program_.blocks.resize(block + 1);
}

void Decoder::refuse(const ptx::Instruction& instruction, const std::string& why) {
  Fault fault;
  fault.kind = "unsupported-instruction";
  fault.line = instruction.outerLine.line;
  fault.message =
      "The interpreter does not know " + textOf(instruction) + " (PTX line " +
      std::to_string(instruction.ptxLine) +
      (fault.line == 0 ? std::string{} : ", source line " + std::to_string(fault.line)) +
      "): " + why + ".";
  addFault(program_.refused, std::move(fault));
}

void Decoder::decodeInstruction(uint32_t index) {
  BasicBlock& block = program_.blocks[blockOf_[index]];
  if (block.instructions == 0) block.begin = emitter_.size();
  const uint32_t firstMicro = emitter_.size();
  emitter_.begin(index);
  if (block.instructions == 0) emitter_.beginBlock();
  if (endsBlock(body_[index]))
    terminate(block, index);
  else
    decodeOrRefuse();
  if (emitter_.refused()) refuse(body_[index], *emitter_.refusal());
  block.instructions += 1;
  block.end = emitter_.size();
  count(block, firstMicro);
}

void Decoder::decodeOrRefuse() {
  const ptx::Instruction& instruction = emitter_.instruction();
  if (isWarpBarrier(instruction)) return;
  if (const DecodeRoot decode = decoderOf(instruction.opcode)) return decode(emitter_);
  emitter_.refuse("this instruction is not known");
}

void Decoder::count(BasicBlock& block, uint32_t firstMicro) {
  const FloatCount kind = floatCountOf(emitter_.instruction());
  guardedCounts_.resize(emitter_.size(), kNoFloat);
  if (kind == kNoFloat || emitter_.size() == firstMicro) return;
  if (emitter_.instruction().guard.reg == ptx::kNone)
    ++block.floats[kind];
  else
    guardedCounts_.back() = kind;
}

void Decoder::barrier(BasicBlock& block) {
  const ptx::Instruction& instruction = emitter_.instruction();
  if (!instruction.has("sync")) return emitter_.refuse("only the .sync form is known");
  block.terminator = Terminator::barrier;
  if (!instruction.operands.empty()) {
    block.barrierRow = emitter_.read(emitter_.operand(0), Lane::u32);
  }
  if (instruction.operands.size() > 1) {
    block.barrierThreads = emitter_.read(emitter_.operand(1), Lane::u32);
  }
}

void Decoder::terminate(BasicBlock& block, uint32_t index) {
  const ptx::Instruction& instruction = body_[index];
  block.source = index;
  if (instruction.guard.reg != ptx::kNone) {
    block.guard = emitter_.rowOf(instruction.guard.reg);
    block.guardNegated = instruction.guard.negated;
  }
  if (isExit(instruction)) {
    block.terminator = Terminator::exit;
  } else if (isBlockBarrier(instruction)) {
    barrier(block);
  } else {
    const auto size = static_cast<uint32_t>(body_.size());
    block.terminator = Terminator::branch;
    block.target = blockOf_[std::min(instruction.operands[0].target, size)];
    if (flow_.reconvergence[index] <= size) block.reconverge = blockOf_[flow_.reconvergence[index]];
  }
}

/// Blocks follow each other; the last one stands for the function's end and lets threads go.
void Decoder::finishBlocks() {
  const auto last = static_cast<uint32_t>(program_.blocks.size() - 1);
  for (uint32_t i = 0; i < last; ++i) program_.blocks[i].next = i + 1;
  BasicBlock& end = program_.blocks[last];
  end.terminator = Terminator::exit;
  end.begin = end.end = emitter_.size();
  end.next = last;
}

/// The same operation under a mask leaves its result in a scratch row first.
Instr Decoder::runnable(Instr instr, bool someLanes) const {
  const bool masksItself = instr.bytes != 0 || instr.masksItself;
  if (instr.guard != kNoRow)
    instr.run = engine_.guarded[masksItself ? 2 : instr.wideResult];
  else if (someLanes && !masksItself)
    instr.run = engine_.masked[instr.wideResult];
  else
    instr.run = instr.op;
  if (!masksItself && instr.run != instr.op) instr.d = RowFile::kScratch;
  return instr;
}

bool Decoder::isObserved(const Instr& instr, size_t at) const {
  if (instr.bytes != 0) {
    return instr.space == MemorySpace::global || instr.space == MemorySpace::shared ||
           instr.space == MemorySpace::generic;
  }
  const auto& code = emitter_.code();
  const bool last = at + 1 == code.size() || code[at + 1].source != instr.source;
  return last && instr.source < program_.accumulatorOf.size() &&
         program_.accumulatorOf[instr.source] != ptx::kNone;
}

/// Puts the look at an access before the access.
void Decoder::check(Instr& instr) {
  if (instr.bytes == 0) return;
  CheckSite& site = program_.sites[instr.memo];
  site = siteOf(body_[instr.source], instr);
  if (!site.checked) return;
  site.access = instr.op;
  instr.op = engine_.checked;
}

void Decoder::buildCode() {
  if (checked_) program_.sites.resize(program_.memos);
  const auto observe = [&](Instr instr, bool observed) {
    if (!observed) return instr;
    instr.traced = instr.run;
    instr.run = engine_.observed;
    return instr;
  };
  for (size_t i = 0; i < emitter_.size(); ++i) {
    Instr instr = emitter_.code()[i];
    instr.counts = guardedCounts_[i];
    if (checked_) check(instr);
    program_.all.push_back(runnable(instr, false));
    program_.some.push_back(runnable(instr, true));
    const bool observed = isObserved(instr, i);
    program_.observedAll.push_back(observe(program_.all.back(), observed));
    program_.observedSome.push_back(observe(program_.some.back(), observed));
  }
}

}  // namespace

Program decode(const ptx::Function& entry, const Symbols& symbols, const Engine& engine,
               bool checked) {
  Program program;
  program.entry = &entry;
  program.shared = symbols.shared;
  program.sharedBytes = symbols.sharedBytes;
  program.localBytes = symbols.localBytes;
  ptx::Accumulators accumulators = ptx::findAccumulators(entry);
  program.accumulators = accumulators.count;
  program.accumulatorOf = std::move(accumulators.updatedBy);
  Decoder(program, symbols, engine, checked).run();
  return program;
}

}  // namespace tilestep::simt
