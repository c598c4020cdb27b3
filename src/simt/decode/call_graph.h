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
    uint32_t number = 0;  ///< Among the module's functions: its address is codeAddress(number).
    uint32_t first = 0;   ///< Its instructions are numbered after those of the functions before it.
    bool addressed = false;  ///< It may be called by its address.
    uint32_t component = 0;  ///< Functions that may call each other in a cycle share one.
    bool recursive = false;
  };
  std::vector<Node> nodes;

  static constexpr uint32_t kNone = 0xffffffff;
  [[nodiscard]] uint32_t find(std::string_view name) const;  ///< Index in nodes, or kNone.
};

[[nodiscard]] CallGraph analyseCalls(const ptx::Module& module, const ptx::Function& entry);

/// The operand of a call with the called function: a symbol, or a register with an address.
[[nodiscard]] const ptx::Operand& calleeOf(const ptx::Instruction& call);
/// The operands of the parameters and of the results; null if there are none.
[[nodiscard]] const ptx::Operand* argumentsOf(const ptx::Instruction& call);
[[nodiscard]] const ptx::Operand* resultsOf(const ptx::Instruction& call);

}  // namespace tilestep::simt
