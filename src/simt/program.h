// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/assembled.h"
#include "ptx/ir.h"
#include "simt/check/state.h"
#include "simt/check/unset_results.h"
#include "simt/decode/call_graph.h"
#include "simt/fault.h"
#include "simt/machine.h"
#include "trace/block_trace.h"

namespace tilestep::simt {

struct KnownParameter;

/// A shared variable's place in the block's shared memory.
struct SharedVariable {
  std::string name;  ///< As in PTX.
  uint32_t offset = 0;
  uint32_t bytes = 0;  ///< 0: `extern`, sized by the launch.
};

/// The variables as a recording names them, in a block with `sharedBytes` of shared memory.
[[nodiscard]] std::vector<trace::SharedArray> recordedArrays(
    const std::vector<SharedVariable>& variables, uint32_t sharedBytes);

/// A module variable in global memory.
struct SymbolAddress {
  std::string name;  ///< Empty: memory without a name.
  uint64_t address = 0;
};

/// The addresses of a module's names.
class Symbols {
 public:
  struct Place {
    ptx::Space space = ptx::Space::none;
    uint64_t address = 0;  ///< In its space; virtual for global and constant memory.
    bool ofCall = false;   ///< Relative to the local memory of a recursive function's call.
  };
  Symbols(const ptx::Module& module, const ptx::Function& entry,
          const std::vector<SymbolAddress>& globals);

  /// As seen by `function`: its own variables hide those of the module.
  [[nodiscard]] const Place* find(std::string_view name,
                                  const ptx::Function* function = nullptr) const;
  /// The bytes of a recursive function's local variables, per call.
  [[nodiscard]] uint32_t bytesOfCall(const ptx::Function* function) const;

  CallGraph calls;
  std::vector<SharedVariable> shared;  ///< In declaration order; extern ones last.
  uint32_t sharedBytes = 0;            ///< Without the dynamic part.
  uint32_t localBytes = 0;             ///< A thread.

 private:
  using Scope = const ptx::Function*;  ///< Null: the module.
  struct Shared {
    Scope scope;
    const ptx::Variable* variable;
  };
  void placeLocal(const CallGraph::Node& node);
  void placeShared(const std::vector<Shared>& variables);
  std::map<Scope, std::map<std::string, Place, std::less<>>> places_;
  std::map<Scope, uint32_t> bytesOfCall_;
};

/// An entry function and the functions that it calls, decoded, without names and types. Immutable
/// and shared by all workers. Refers to the module, which must outlive it.
struct Program {
  struct Constant {
    uint32_t row;
    bool wide;
    uint64_t bits;
  };
  /// A parameter read by a name and an offset: the same for all lanes.
  struct ParameterRow {
    uint32_t row;
    bool wide;
    Lane type;
    uint32_t offset;  ///< In the parameter block.
  };
  struct SpecialRow {
    uint32_t row;
    ptx::SpecialRegister name;
  };

  const ptx::Function* entry = nullptr;
  std::vector<CallGraph::Node> functions;        ///< The entry first.
  std::vector<Instr> all, some;                  ///< For all live lanes; for some of them.
  std::vector<Instr> observedAll, observedSome;  ///< The same for a traced block.
  std::vector<DecodedBlock> blocks;
  std::vector<uint32_t> targets;  ///< Targets of indexed branches.
  /// By number among the module's functions: the block for calls by address, or kNoBlock.
  std::vector<uint32_t> addressed;
  std::vector<uint32_t> savedRows;  ///< For recursive calls: twice the row, plus 1 if it is wide.
  uint32_t stackRow = kNoRow;       ///< Row of the lanes' stack heights; kNoRow: no recursion.
  uint32_t framesRow = kNoRow;      ///< Row of the GPU stack used by their calls.
  uint32_t stackBytes = 0;          ///< A thread's, after its local memory.
  uint32_t mostCalls = 0;           ///< The maximum number of active calls of a warp.
  std::vector<Constant> constants;
  std::vector<ParameterRow> parameters;
  std::vector<SpecialRow> specials;
  std::vector<std::pair<uint32_t, uint32_t>> zeroed;  ///< (offset, bytes) read before written.
  std::vector<uint32_t> companions;                   ///< Their rows (check/unset_bits.h).
  std::vector<UnsetRule> unsetRules;                  ///< By Instr::site of unset_ops::follow.
  uint32_t registerBytes = 0;                         ///< Bytes of one warp's registers.
  uint32_t memos = 0;
  std::vector<CheckSite> sites;  ///< By memo; empty unless checked.
  bool synchronises = false;     ///< Checked: it has fences or releases.
  bool waits = false;            ///< Checked: some thread waits at a flag (FlagUse::waits).
  bool interleaves = false;      ///< As requested by DecodeOptions::interleaved, if it may matter.
  std::vector<SharedVariable> shared;
  uint32_t sharedBytes = 0;
  uint32_t localBytes = 0;
  uint32_t accumulators = 0;
  /// By body index: the accumulator that it updates; kNone for none.
  std::vector<uint32_t> accumulatorOf;
  /// The same for instructions with a vector of results, by element. Their last micro-operations
  /// write these one by one.
  std::map<uint32_t, std::vector<uint32_t>> accumulatorsOf;
  std::vector<std::pair<uint32_t, uint32_t>> sumStores;  ///< As in trace::BlockTrace.

  /// A thread's own memory: local variables and stack.
  [[nodiscard]] size_t bytesOfThread() const { return size_t{localBytes} + stackBytes; }
  /// The source line of an instruction, or of the nearest one before it that has one; 0: none.
  [[nodiscard]] uint32_t lineOf(uint32_t index) const;
  /// By Instr::source or DecodedBlock::source; empty for a function's end.
  [[nodiscard]] const ptx::Instruction& instruction(uint32_t index) const;

  /// Instructions that the interpreter does not support. If there are any, the program must not
  /// run.
  std::vector<Fault> refused;
};

struct DecodeOptions {
  bool checked = false;  ///< Each access to shared, global and local memory is checked.
  const std::vector<KnownParameter>* parameters = nullptr;  ///< May be null.
  /// Warps may take turns before each access, in a program whose threads may communicate without a
  /// barrier.
  bool interleaved = false;
  const ptx::Assembled* assembled = nullptr;  ///< GPU stack used by calls; may be null.
};

/// Decodes `entry` and the functions of symbols.calls. It never fails: unsupported ones are in
/// Program::refused.
Program decode(const ptx::Function& entry, const Symbols& symbols, const Engine& engine,
               const DecodeOptions& options = {});

}  // namespace tilestep::simt
