// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ptx/ir.h"

namespace tilestep::simt {

/// The functions of a module that an entry may reach, the entry first. The module must outlive it.
struct CallGraph {
  struct Node {
    const ptx::Function* function = nullptr;
    uint32_t number = 0;  ///< Index in the module's functions; its address is codeAddress(number).
    uint32_t first = 0;   ///< Index of its first instruction in the whole program.
    bool addressed = false;  ///< It may be called by address.
    uint32_t component = 0;  ///< Equal for functions that may call each other in a cycle.
    bool recursive = false;
  };
  std::vector<Node> nodes;

  static constexpr uint32_t kNone = 0xffffffff;
  [[nodiscard]] uint32_t find(std::string_view name) const;  ///< Index in nodes, or kNone.
};

[[nodiscard]] CallGraph analyseCalls(const ptx::Module& module, const ptx::Function& entry);

/// The operand that holds a call's function: a symbol, or a register with its address.
[[nodiscard]] const ptx::Operand& calleeOf(const ptx::Instruction& call);
/// The operand lists of a call's arguments and results; null if there are none.
[[nodiscard]] const ptx::Operand* argumentsOf(const ptx::Instruction& call);
[[nodiscard]] const ptx::Operand* resultsOf(const ptx::Instruction& call);

}  // namespace tilestep::simt
