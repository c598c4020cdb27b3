// SPDX-License-Identifier: Apache-2.0
// Decodes calls: passes parameters, continues in the callee, and saves live values.
#include "simt/decode/decode_function.h"
#include "simt/run/device_calls.h"

namespace tilestep::simt {
namespace {

using Kind = ptx::Operand::Kind;

void addRows(std::vector<uint32_t>& rows, const Cells& cells) {
  for (uint32_t at = 0; at < cells.bytes; at += 8) rows.push_back(cells.row + at / 8 * kWideRow);
}

}  // namespace

std::vector<uint32_t> FunctionDecoder::rowsOf(const ptx::Operand* list) {
  std::vector<uint32_t> rows;
  if (list == nullptr) return rows;
  for (const ptx::Operand& operand : list->elements) {
    const Cells* cells =
        operand.kind == Kind::symbol ? state_.emitter.cells(operand.name) : nullptr;
    if (cells == nullptr) {
      state_.emitter.refuse("a parameter must be a .param variable");
      return {};
    }
    addRows(rows, *cells);
  }
  return rows;
}

std::vector<uint32_t> FunctionDecoder::rowsOf(const FunctionRows& rows,
                                              const std::vector<ptx::Parameter>& parameters) {
  std::vector<uint32_t> result;
  for (const ptx::Parameter& parameter : parameters) {
    const auto cells = rows.cells.find(parameter.name);
    if (cells != rows.cells.end()) addRows(result, cells->second);
  }
  return result;
}

/// Ensures that there are `count` rows for passing values in calls by address.
void FunctionDecoder::passable(std::vector<uint32_t>& rows, size_t count) {
  while (rows.size() < count) rows.push_back(state_.emitter.newRow(true));
}

void FunctionDecoder::hand(const std::vector<uint32_t>& from, const std::vector<uint32_t>& to) {
  for (size_t i = 0; i < std::min(from.size(), to.size()); ++i) {
    state_.emitter.copy(to[i], from[i], true);
  }
}

void FunctionDecoder::call(uint32_t index) {
  Emitter& e = state_.emitter;
  const ptx::Operand& callee = calleeOf(body_[index]);
  if (callee.kind == Kind::reg) return callAddress(index);
  if (const Handler handler = hostHandler(callee.name)) {
    Instr instr;
    instr.op = handler;
    const std::vector<uint32_t> arguments = rowsOf(argumentsOf(body_[index]));
    const std::vector<uint32_t> results = rowsOf(resultsOf(body_[index]));
    uint32_t* places[] = {&instr.a, &instr.b, &instr.c, &instr.address};
    for (size_t i = 0; i < std::min(arguments.size(), std::size(places)); ++i) {
      *places[i] = arguments[i];
    }
    instr.d = results.empty() ? kNoRow : results[0];
    e.emitOfWarp(instr);
    DecodedBlock& own = terminated(index);
    own.end = e.size();
    return;
  }
  const uint32_t to = state_.symbols.calls.find(callee.name);
  if (to == CallGraph::kNone) {
    return e.refuse("the module does not define " + callee.name);
  }
  callFunction(index, to);
}

void FunctionDecoder::callFunction(uint32_t index, uint32_t callee) {
  const std::vector<CallGraph::Node>& nodes = state_.program.functions;
  const bool recursive =
      nodes[self_].recursive && nodes[callee].component == nodes[self_].component;
  const FunctionRows& rows = state_.functions[callee];
  const std::vector<uint32_t> from = rowsOf(argumentsOf(body_[index]));
  const std::vector<uint32_t> to = rowsOf(rows, rows.function->parameters);
  if (from.size() != to.size()) {
    return state_.emitter.refuse("its arguments do not match the parameters of " +
                                 rows.function->name);
  }
  if (recursive) saveOrRestore(index, true);
  hand(from, to);
  block(blockOf_[index]).end = state_.emitter.size();
  DecodedBlock& own = terminated(index);
  own.terminator = Terminator::call;
  own.target = state_.entries[callee];
  own.next = extras_.at(index).after;
  behindCall(index, rowsOf(rows, rows.function->results), recursive);
}

void FunctionDecoder::callAddress(uint32_t index) {
  Emitter& e = state_.emitter;
  const std::vector<uint32_t> from = rowsOf(argumentsOf(body_[index]));
  const std::vector<uint32_t> results = rowsOf(resultsOf(body_[index]));
  const bool recursive = state_.program.functions[self_].recursive;
  const uint32_t address = e.read(calleeOf(body_[index]), Lane::u64);
  if (recursive) saveOrRestore(index, true);
  passable(state_.passed, from.size());
  passable(state_.returned, results.size());
  hand(from, state_.passed);
  block(blockOf_[index]).end = e.size();
  DecodedBlock& own = terminated(index);
  own.terminator = Terminator::indirect;
  own.row = address;
  own.next = extras_.at(index).after;
  behindCall(
      index,
      {state_.returned.begin(), state_.returned.begin() + static_cast<ptrdiff_t>(results.size())},
      recursive);
}

/// Emits what follows a call. Only the calling lanes execute it.
void FunctionDecoder::behindCall(uint32_t index, const std::vector<uint32_t>& results,
                                 bool recursive) {
  Emitter& e = state_.emitter;
  const std::optional<std::string> refusal = e.refusal();
  e.begin(index, true);
  if (refusal) e.refuse(*refusal);
  DecodedBlock& after = block(extras_.at(index).after);
  after.begin = e.size();
  if (recursive) saveOrRestore(index, false);
  hand(results, rowsOf(resultsOf(body_[index])));
  after.end = e.size();
  after.source = rows_.first + index;
  after.next = blockAt(index + 1);
}

/// Saves or restores the values that a recursive function needs after the call.
void FunctionDecoder::saveOrRestore(uint32_t index, bool save) {
  std::vector<uint32_t>& saved = state_.program.savedRows;
  Instr instr;
  instr.op = save ? saveRows : restoreRows;
  instr.a = static_cast<uint32_t>(saved.size());
  for (const uint32_t reg : liveBehind_[index]) {
    const bool wide = ptx::bytesOf(rows_.function->registers[reg].type) == 8;
    saved.push_back(rows_.registers[reg] * 2 + (wide ? 1 : 0));
  }
  for (const uint32_t row : rowsOf(rows_, rows_.function->parameters)) saved.push_back(row * 2 + 1);
  if (rows_.localRow != kNoRow) saved.push_back(rows_.localRow * 2 + 1);
  instr.b = static_cast<uint32_t>(saved.size());
  state_.emitter.emitOfWarp(instr);
}

}  // namespace tilestep::simt
