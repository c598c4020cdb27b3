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
  bool unknown = false;            ///< And others: the address may come out of memory.
};

/// Which names flow into which registers of a function, whatever way it takes. Values that are
/// loaded from memory are indices where they have 32 bits and may be pointers where they have 64.
class Provenance {
 public:
  explicit Provenance(const ptx::Function& function);

  /// Of the address of a memory instruction.
  [[nodiscard]] Bases of(const ptx::Instruction& access) const;

 private:
  using Set = uint64_t;  ///< A bit a name; the last one: unknown.
  [[nodiscard]] Set bitOf(const std::string& name) const;
  [[nodiscard]] Set ofOperand(const ptx::Operand& operand) const;
  [[nodiscard]] Set ofResult(const ptx::Instruction& instruction) const;
  void collectNames(const ptx::Operand& operand);

  std::vector<std::string> names_;
  std::vector<Set> registers_;
};

}  // namespace tilestep::simt
