// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/analysis/control_flow.h"
#include "simt/check/row_watch.h"
#include "simt/check/unset_watch.h"
#include "simt/decode/emitter.h"

namespace tilestep::simt {

/// Data shared by all functions of a program while they are decoded.
struct Decoding {
  Decoding(Program& to, const Symbols& names, const Engine& core)
      : program(to), symbols(names), engine(core), emitter(to, names, core) {}

  Program& program;
  const Symbols& symbols;
  const Engine& engine;
  Emitter emitter;
  std::vector<FunctionRows> functions;  ///< In the order of Program::functions.
  std::vector<uint32_t> entries;        ///< By function: its first block.
  std::vector<uint32_t> passed;         ///< Rows that pass the parameters of calls by address,
  std::vector<uint32_t> returned;       ///< and rows that pass their results.
  std::vector<FloatCount> guardedCounts;
  std::unique_ptr<RowWatch> rowWatch;  ///< The entry's, if columns are checked.
  /// For followed loads and stores, by Instr::source: CheckSite::companions.
  std::map<uint32_t, std::array<uint32_t, 4>> companions;
  bool checked = false;
  bool interleaves = false;  ///< Warps may take turns before each access.
};

/// Decodes one function of Decoding::functions. The decoders of all functions are created before
/// the first one runs, so that the targets of calls are known.
class FunctionDecoder {
 public:
  FunctionDecoder(Decoding& state, uint32_t index);
  void run();

 private:
  struct Extra {
    uint32_t twin = kNoBlock;   ///< The block of the instruction without its guard.
    uint32_t after = kNoBlock;  ///< The block after a call.
  };
  using Instructions = std::vector<ptx::Instruction>;

  void cutBlocks();
  void findSpinning();
  [[nodiscard]] bool needsTwin(const ptx::Instruction& instruction) const;
  [[nodiscard]] bool endsBlock(const ptx::Instruction& instruction) const;
  [[nodiscard]] uint32_t newBlock();
  [[nodiscard]] uint32_t blockAt(uint32_t instruction) const;
  DecodedBlock& block(uint32_t index) { return state_.program.blocks[index]; }

  void prologue();
  void epilogue();
  void decodeInstruction(uint32_t index);
  void decodePlain();
  void terminate(uint32_t index);
  DecodedBlock& terminated(uint32_t index);
  void branch(uint32_t index);
  void indexedBranch(uint32_t index);
  void leave(uint32_t index);
  void trap(uint32_t index);
  void barrier(uint32_t index);
  void together(uint32_t index);
  void call(uint32_t index);
  void callFunction(uint32_t index, uint32_t callee);
  void callAddress(uint32_t index);
  void behindCall(uint32_t index, const std::vector<uint32_t>& results, bool recursive);
  void hand(const std::vector<uint32_t>& from, const std::vector<uint32_t>& to);
  [[nodiscard]] std::vector<uint32_t> rowsOf(const ptx::Operand* list);
  [[nodiscard]] std::vector<uint32_t> rowsOf(const FunctionRows& rows,
                                             const std::vector<ptx::Parameter>& parameters);
  void passable(std::vector<uint32_t>& rows, size_t count);
  void saveOrRestore(uint32_t index, bool save);
  void count(uint32_t index, uint32_t firstMicro);
  void refuse(const ptx::Instruction& instruction, const std::string& why);

  Decoding& state_;
  uint32_t self_;
  const FunctionRows& rows_;
  const Instructions& body_;
  ptx::ControlFlow flow_;
  std::vector<uint32_t> blockOf_;  ///< By body index, plus one element for the end.
  std::map<uint32_t, Extra> extras_;
  std::vector<bool> waits_;  ///< By body index: is in a loop that may wait for other threads.
  std::vector<bool> spins_;  ///< By body index: is a backward branch in that loop.
  /// By body index of a call: the registers that are live after it.
  std::map<uint32_t, std::vector<uint32_t>> liveBehind_;
  uint32_t thunk_ = kNoBlock, prologue_ = kNoBlock;
  std::unique_ptr<UnsetWatch> unsetWatch_;  ///< If the program is checked.
};

}  // namespace tilestep::simt
