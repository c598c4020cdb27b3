// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "ptx/analysis/dataflow.h"
#include "ptx/ir.h"

namespace tilestep::ptx {

/// One write of a register by one instruction.
struct Definition {
  uint32_t instruction = 0;
  uint32_t reg = 0;
};

/// The reaching definitions: for each read of a register, the writes whose values it may see. Most
/// registers are written only once and need no sets of definitions; only those with several
/// definitions do. The function and flow must outlive this object.
class Definitions {
 public:
  Definitions(const Function& function, const ControlFlow& flow);

  [[nodiscard]] size_t count() const { return definitions_.size(); }
  /// The index of the instruction's first definition; its other definitions follow.
  [[nodiscard]] uint32_t firstOf(uint32_t instruction) const { return first_[instruction]; }

  using Sets = std::vector<std::vector<uint32_t>>;
  /// Calls visit(instruction, sets) in program order; sets[r] holds the definitions of register r
  /// that the instruction may read.
  void walk(const std::function<void(uint32_t, const Sets&)>& visit) const;

 private:
  void collect();
  void throughBlock(uint32_t block, Bits& slots) const;
  void apply(uint32_t instruction, Sets& sets) const;
  void enter(uint32_t block, Sets& sets) const;

  const Function& function_;
  const ControlFlow& flow_;
  std::vector<Definition> definitions_;
  std::vector<uint32_t> first_;
  std::vector<std::vector<uint32_t>> byRegister_;
  std::vector<uint32_t> shared_;  ///< Registers with several definitions.
  std::vector<uint32_t> slotOf_;  ///< For each definition, its bit or kNone.
  std::vector<uint32_t> slots_;   ///< For each bit, its definition.
  BlockBits bits_;
};

}  // namespace tilestep::ptx
