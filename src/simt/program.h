// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/ir.h"
#include "simt/check/state.h"
#include "simt/fault.h"
#include "simt/machine.h"
#include "trace/recording.h"

namespace tilestep::simt {

/// A shared variable's place in the block's shared memory.
struct SharedVariable {
  std::string name;  ///< As in PTX.
  uint32_t offset = 0;
  uint32_t bytes = 0;  ///< 0: `extern`, takes what the launch gives.
};

/// The variables as a recording names them, in a block with `sharedBytes` of shared memory.
[[nodiscard]] std::vector<trace::SharedArray> recordedArrays(
    const std::vector<SharedVariable>& variables, uint32_t sharedBytes);

/// Where the names of a module lie.
class Symbols {
 public:
  struct Place {
    ptx::Space space = ptx::Space::none;
    uint64_t address = 0;  ///< In its space; global and constant ones are virtual addresses.
  };
  /// `buffers` names the module variable behind each buffer of global memory; empty for the
  /// others.
  Symbols(const ptx::Module& module, const ptx::Function& entry,
          const std::vector<std::string>& buffers);

  [[nodiscard]] const Place* find(std::string_view name) const;

  std::vector<SharedVariable> shared;  ///< In declaration order; extern ones last.
  uint32_t sharedBytes = 0;            ///< Without the dynamic part.
  uint32_t localBytes = 0;             ///< A thread.

 private:
  void placeShared(const std::vector<const ptx::Variable*>& variables);
  std::map<std::string, Place, std::less<>> places_;
};

/// An entry function made ready to run: no names, no types, no decisions left. Immutable; shared by
/// all workers. Refers to the module, which must outlive it.
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
  std::vector<Instr> all, some;                  ///< For all live lanes; for some of them.
  std::vector<Instr> observedAll, observedSome;  ///< The same for a block that is traced.
  std::vector<BasicBlock> blocks;
  std::vector<Constant> constants;
  std::vector<ParameterRow> parameters;
  std::vector<SpecialRow> specials;
  std::vector<std::pair<uint32_t, uint32_t>> zeroed;  ///< (offset, bytes) read before written.
  uint32_t registerBytes = 0;                         ///< Of one warp.
  uint32_t memos = 0;
  std::vector<CheckSite> sites;  ///< By memo; empty where nothing is checked.
  std::vector<SharedVariable> shared;
  uint32_t sharedBytes = 0;
  uint32_t localBytes = 0;
  uint32_t accumulators = 0;
  /// By body index: which accumulator it updates; kNone for none.
  std::vector<uint32_t> accumulatorOf;
  /// What the interpreter does not know. Not empty: the program must not run.
  std::vector<Fault> refused;
};

/// Decodes `entry`. Total: whatever is not known is in Program::refused.
/// `checked`: with a look at each access to shared, global and local memory.
Program decode(const ptx::Function& entry, const Symbols& symbols, const Engine& engine,
               bool checked = false);

}  // namespace tilestep::simt
