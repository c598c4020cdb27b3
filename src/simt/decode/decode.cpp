// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <deque>

#include "ptx/analysis/accumulators.h"
#include "simt/check/sites.h"
#include "simt/decode/ahead.h"
#include "simt/decode/decode_function.h"
#include "simt/decode/shared_memos.h"

namespace tilestep::simt {
namespace {

/// The stack of each thread for recursive calls. Unreached pages use no memory.
constexpr uint32_t kStackBytes = 1 << 16;
constexpr uint32_t kMostCallsOfRecursion = 1 << 12;
constexpr uint8_t kNoElement = 0xff;

uint32_t newCells(Emitter& e, uint64_t bytes) {
  const uint32_t row = e.newRow(true);
  for (uint64_t at = 8; at < bytes; at += 8) e.newRow(true);
  return row;
}

/// The GPU stack in bytes that a call of a recursive function uses, according to ptxas. A function
/// that ptxas does not list was inlined and needs none. Without ptxas, the result is an estimate
/// from the local variables and the return address.
uint32_t frameBytesOf(const ptx::Function& function, const ptx::Assembled* assembled,
                      uint32_t bytesOfCall) {
  constexpr uint32_t kAddressBytes = 8;
  const uint32_t least = bytesOfCall + kAddressBytes;
  if (assembled == nullptr || assembled->empty()) return least;
  const auto found = assembled->find(function.name);
  return found == assembled->end() ? 0 : found->second.stackBytes;
}

FunctionRows rowsOf(Emitter& e, const CallGraph::Node& node, bool isEntry, uint32_t bytesOfCall) {
  FunctionRows rows;
  rows.function = node.function;
  rows.first = node.first;
  for (const ptx::Register& reg : node.function->registers) {
    rows.registers.push_back(e.newRow(ptx::bytesOf(reg.type) == 8));
  }
  const auto add = [&](const std::string& name, uint64_t bytes) {
    rows.cells[name] = {newCells(e, bytes), static_cast<uint32_t>(bytes)};
  };
  for (const ptx::Variable& variable : node.function->variables) {
    if (variable.space == ptx::Space::param) add(variable.name, variable.bytes());
  }
  if (isEntry) return rows;
  for (const auto* list : {&node.function->parameters, &node.function->results}) {
    for (const ptx::Parameter& parameter : *list) {
      if (!parameter.isRegister) add(parameter.name, parameter.bytes());
    }
  }
  if (bytesOfCall != 0) rows.localRow = e.newRow(true);
  return rows;
}

/// Whether threads may communicate through atomic operations or volatile or ordered accesses.
bool synchronisesByAccesses(const CallGraph& calls) {
  return std::ranges::any_of(calls.nodes, [](const CallGraph::Node& node) {
    return std::ranges::any_of(node.function->body, countsAsFlag);
  });
}

class Decoder {
 public:
  Decoder(Program& program, const Symbols& symbols, const Engine& engine,
          const DecodeOptions& options)
      : program_(program),
        engine_(engine),
        checked_(options.checked),
        assembled_(options.assembled),
        state_(program, symbols, engine) {
    if (options.parameters != nullptr) {
      state_.rowWatch = std::make_unique<RowWatch>(*program.entry, *options.parameters);
    }
    state_.checked = checked_;
  }

  void run();

 private:
  void buildCode();
  void check(Instr& instr);
  [[nodiscard]] Instr runnable(Instr instr, bool someLanes) const;
  [[nodiscard]] bool isObserved(const Instr& instr, size_t at) const;
  [[nodiscard]] uint8_t elementOf(const Instr& instr, size_t at) const;

  Program& program_;
  const Engine& engine_;
  const bool checked_;
  const ptx::Assembled* assembled_;
  Decoding state_;
};

void Decoder::run() {
  Emitter& e = state_.emitter;
  program_.functions = state_.symbols.calls.nodes;
  state_.interleaves = program_.interleaves;
  bool recursive = false;
  for (size_t i = 0; i < program_.functions.size(); ++i) {
    const CallGraph::Node& node = program_.functions[i];
    recursive = recursive || node.recursive;
    const uint32_t bytesOfCall = state_.symbols.bytesOfCall(node.function);
    state_.functions.push_back(rowsOf(e, node, i == 0, bytesOfCall));
    if (node.recursive)
      state_.functions.back().frameBytes = frameBytesOf(*node.function, assembled_, bytesOfCall);
  }
  if (recursive) {
    program_.stackRow = e.newRow(true);
    program_.framesRow = e.newRow(true);
    program_.stackBytes = kStackBytes;
  }
  const auto functions = static_cast<uint32_t>(program_.functions.size());
  program_.mostCalls = recursive ? kMostCallsOfRecursion : kLanes * (functions - 1);
  std::deque<FunctionDecoder> decoders;
  for (uint32_t i = 0; i < functions; ++i) decoders.emplace_back(state_, i);
  for (FunctionDecoder& decoder : decoders) decoder.run();
  findReturnsAhead(program_.blocks);
  state_.guardedCounts.resize(e.size(), kNoFloat);
  buildCode();
}

/// Chooses the handler. Under a mask or guard, the operation writes its result to a scratch row.
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
  if (instr.isFence) return true;
  if (instr.isMatrix) return false;
  if (instr.bytes != 0) {
    return instr.space == MemorySpace::global || instr.space == MemorySpace::shared ||
           instr.space == MemorySpace::generic;
  }
  if (program_.accumulatorsOf.contains(instr.source)) return elementOf(instr, at) != kNoElement;
  const auto& code = state_.emitter.code();
  const bool last = at + 1 == code.size() || code[at + 1].source != instr.source;
  return last && instr.source < program_.accumulatorOf.size() &&
         program_.accumulatorOf[instr.source] != ptx::kNone;
}

/// The element of a vector of sums that the micro-operation writes, or kNoElement.
uint8_t Decoder::elementOf(const Instr& instr, size_t at) const {
  const auto sums = program_.accumulatorsOf.find(instr.source);
  if (sums == program_.accumulatorsOf.end()) return kNoElement;
  const auto& code = state_.emitter.code();
  size_t behind = 0;
  while (at + behind + 1 < code.size() && code[at + behind + 1].source == instr.source) ++behind;
  if (behind >= sums->second.size()) return kNoElement;
  const size_t element = sums->second.size() - 1 - behind;
  return sums->second[element] == ptx::kNone ? kNoElement : static_cast<uint8_t>(element);
}

/// Replaces an access by a checked access, and completes its site.
void Decoder::check(Instr& instr) {
  if (instr.isFence) {
    instr.op = engine_.checkedFence;
    program_.synchronises = true;
  }
  if (instr.bytes == 0) return;
  CheckSite& site = program_.sites[instr.site];
  site = siteOf(program_.instruction(instr.source), instr);
  program_.synchronises = program_.synchronises || site.release;
  if (!site.checked) return;
  if (state_.rowWatch && instr.source < program_.entry->body.size()) {
    site.column = state_.rowWatch->checkOf(instr.source);
  }
  const auto companions = state_.companions.find(instr.source);
  const bool isFollowed = companions != state_.companions.end();
  if (isFollowed) site.companions = companions->second;
  if (program_.instruction(instr.source).opcode == ptx::Opcode::ld)
    site.unwritten = isFollowed ? OnUnwritten::follow : OnUnwritten::doubt;
  site.access = instr;
  site.access.known = instr.patterned;  // The check has already compared the addresses.
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
  std::vector<Instr> code = state_.emitter.code();
  shareMemos(code, program_.blocks);
  for (size_t i = 0; i < code.size(); ++i) {
    Instr instr = code[i];
    instr.counts = state_.guardedCounts[i];
    if (checked_) check(instr);
    program_.all.push_back(runnable(instr, false));
    program_.some.push_back(runnable(instr, true));
    const bool observed = isObserved(instr, i);
    if (observed && program_.accumulatorsOf.contains(instr.source)) {
      instr.elements = elementOf(instr, i);
      program_.all.back().elements = program_.some.back().elements = instr.elements;
    }
    program_.observedAll.push_back(observe(program_.all.back(), observed));
    program_.observedSome.push_back(observe(program_.some.back(), observed));
  }
}

}  // namespace

const ptx::Instruction& Program::instruction(uint32_t index) const {
  static const ptx::Instruction kEnd;
  for (const CallGraph::Node& node : functions) {
    const uint32_t at = index - node.first;
    if (index >= node.first && at < node.function->body.size()) return node.function->body[at];
  }
  return kEnd;
}

uint32_t Program::lineOf(uint32_t index) const {
  for (const CallGraph::Node& node : functions) {
    const auto size = static_cast<uint32_t>(node.function->body.size());
    if (index < node.first || index > node.first + size) continue;
    for (uint32_t i = index - node.first + 1; i-- > 0;) {
      if (i < size && node.function->body[i].outerLine.line != 0) {
        return node.function->body[i].outerLine.line;
      }
    }
  }
  return 0;
}

Program decode(const ptx::Function& entry, const Symbols& symbols, const Engine& engine,
               const DecodeOptions& options) {
  Program program;
  program.interleaves = options.interleaved && synchronisesByAccesses(symbols.calls);
  program.entry = &entry;
  program.shared = symbols.shared;
  program.sharedBytes = symbols.sharedBytes;
  program.localBytes = symbols.localBytes;
  ptx::Accumulators accumulators = ptx::findAccumulators(entry);
  program.accumulators = accumulators.count;
  program.sumStores = accumulators.storePairs();
  program.accumulatorOf = std::move(accumulators.updatedBy);
  program.accumulatorsOf = std::move(accumulators.vectors);
  Decoder(program, symbols, engine, options).run();
  return program;
}

}  // namespace tilestep::simt
