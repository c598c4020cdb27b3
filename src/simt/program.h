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

struct SharedVariable {
  std::string name;  ///< As in PTX.
  uint32_t offset = 0;
  uint32_t bytes = 0;  ///< 0 if it is `extern` and sized by the launch.
};

/// The variables as a recording names them. `sharedBytes` is the block's shared memory.
[[nodiscard]] std::vector<trace::SharedArray> recordedArrays(
    const std::vector<SharedVariable>& variables, uint32_t sharedBytes);

struct SymbolAddress {
  std::string name;  ///< Empty if the memory has no name.
  uint64_t address = 0;
};

class Symbols {
 public:
  struct Place {
    ptx::Space space = ptx::Space::none;
    uint64_t address = 0;  ///< Offset in its space; virtual address for global and constant memory.
    bool ofCall = false;   ///< Relative to the stack frame of a recursive function's call.
  };
  Symbols(const ptx::Module& module, const ptx::Function& entry,
          const std::vector<SymbolAddress>& globals);

  /// Finds `name` as seen by `function`, whose own variables hide those of the module.
  [[nodiscard]] const Place* find(std::string_view name,
                                  const ptx::Function* function = nullptr) const;
  /// The bytes of a recursive function's local variables, per call.
  [[nodiscard]] uint32_t bytesOfCall(const ptx::Function* function) const;

  CallGraph calls;
  std::vector<SharedVariable> shared;  ///< In declaration order; extern variables last.
  uint32_t sharedBytes = 0;            ///< Without the dynamic part.
  uint32_t localBytes = 0;             ///< Per thread.

 private:
  using Scope = const ptx::Function*;  ///< Null means the module.
  struct Shared {
    Scope scope;
    const ptx::Variable* variable;
  };
  void placeLocal(const CallGraph::Node& node);
  void placeShared(const std::vector<Shared>& variables);
  std::map<Scope, std::map<std::string, Place, std::less<>>> places_;
  std::map<Scope, uint32_t> bytesOfCall_;
};

/// The decoded form of an entry function and the functions that it calls, without names and types.
/// Immutable and shared by all workers. The module must outlive it.
struct Program {
  struct Constant {
    uint32_t row;
    bool wide;
    uint64_t bits;
  };
  /// A parameter that is read by a name and an offset, so its value is the same for all lanes.
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
  std::vector<Instr> all, some;                  ///< For all live lanes, and for some of them.
  std::vector<Instr> observedAll, observedSome;  ///< The same for a traced block.
  std::vector<DecodedBlock> blocks;
  std::vector<uint32_t> targets;  ///< Targets of indexed branches.
  /// By index in the module's functions: the block at which calls by address begin, or kNoBlock.
  std::vector<uint32_t> addressed;
  /// Rows saved by recursive calls: twice the row, plus 1 if it is wide.
  std::vector<uint32_t> savedRows;
  uint32_t stackRow = kNoRow;   ///< Row of the lanes' stack heights; kNoRow if no recursion.
  uint32_t framesRow = kNoRow;  ///< Row of the GPU stack used by their calls.
  uint32_t stackBytes = 0;      ///< A thread's stack, which follows its local memory.
  uint32_t mostCalls = 0;       ///< The maximum number of active calls of a warp.
  std::vector<Constant> constants;
  std::vector<ParameterRow> parameters;
  std::vector<SpecialRow> specials;
  /// (offset, bytes) of registers that may be read before they are written.
  std::vector<std::pair<uint32_t, uint32_t>> zeroed;
  std::vector<uint32_t> companions;   ///< Rows of all companions (check/unset_bits.h).
  std::vector<UnsetRule> unsetRules;  ///< By Instr::site of unset_ops::follow.
  uint32_t registerBytes = 0;         ///< Bytes of one warp's registers.
  uint32_t memos = 0;
  std::vector<CheckSite> sites;  ///< By memo; empty unless checked.
  bool synchronises = false;     ///< If checked: it has fences or releases.
  bool waits = false;            ///< If checked: some thread waits at a flag (FlagUse::waits).
  bool interleaves = false;      ///< DecodeOptions::interleaved was requested, and may matter.
  std::vector<SharedVariable> shared;
  uint32_t sharedBytes = 0;
  uint32_t localBytes = 0;
  uint32_t accumulators = 0;
  /// By body index: the accumulator that the instruction updates, or kNone.
  std::vector<uint32_t> accumulatorOf;
  /// For instructions with a vector of results: the accumulator of each element. The instruction's
  /// last micro-operations write the elements one by one.
  std::map<uint32_t, std::vector<uint32_t>> accumulatorsOf;
  std::vector<std::pair<uint32_t, uint32_t>> sumStores;  ///< As in trace::BlockTrace.

  /// A thread's own memory: local variables and stack.
  [[nodiscard]] size_t bytesOfThread() const { return size_t{localBytes} + stackBytes; }
  /// The line of an instruction, or of the nearest earlier instruction that has a line; 0 if none.
  [[nodiscard]] uint32_t lineOf(uint32_t index) const;
  /// `index` is Instr::source or DecodedBlock::source. At a function's end the result is empty.
  [[nodiscard]] const ptx::Instruction& instruction(uint32_t index) const;

  /// Unsupported instructions. If there are any, the program must not run.
  std::vector<Fault> refused;
};

struct DecodeOptions {
  bool checked = false;  ///< Check each access to shared, global and local memory.
  const std::vector<KnownParameter>* parameters = nullptr;  ///< May be null.
  /// Let warps take turns before each access if threads may communicate without a barrier.
  bool interleaved = false;
  const ptx::Assembled* assembled = nullptr;  ///< For the GPU stack that calls use; may be null.
};

/// Decodes `entry` and the functions of symbols.calls. It never fails; unsupported instructions are
/// in Program::refused.
Program decode(const ptx::Function& entry, const Symbols& symbols, const Engine& engine,
               const DecodeOptions& options = {});

}  // namespace tilestep::simt
