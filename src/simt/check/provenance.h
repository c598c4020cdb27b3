// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ptx/ir.h"

namespace tilestep::simt {

/// The names that an address may be made from: parameters that hold pointers, and variables.
struct Bases {
  std::vector<std::string> names;  ///< Ascending.
  bool unknown = false;            ///< There may be others: the address may be loaded from memory.
};

/// Which names flow into which registers of a function, on any path. Values loaded from memory
/// count as indices if they have 32 bits, and as possible pointers if they have 64.
class Provenance {
 public:
  explicit Provenance(const ptx::Function& function);

  /// The names behind the address of a memory instruction.
  [[nodiscard]] Bases of(const ptx::Instruction& access) const;

 private:
  using Set = uint64_t;  ///< One bit per name; the last one means unknown.
  [[nodiscard]] Set bitOf(const std::string& name) const;
  [[nodiscard]] Set ofOperand(const ptx::Operand& operand) const;
  [[nodiscard]] Set ofResult(const ptx::Instruction& instruction) const;
  void collectNames(const ptx::Operand& operand);

  std::vector<std::string> names_;
  std::vector<Set> registers_;
};

}  // namespace tilestep::simt
