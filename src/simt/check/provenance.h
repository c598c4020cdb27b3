// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ptx/ir.h"

namespace tilestep::simt {

/// The pointer parameters and variables from which an address may be computed.
struct Bases {
  std::vector<std::string> names;  ///< Ascending.
  /// There may be others, because the address may have been loaded from memory.
  bool unknown = false;
};

/// For each register of a function, the names that may flow into it on any path. 32-bit values
/// loaded from memory count as indices, and 64-bit ones as possible pointers.
class Provenance {
 public:
  explicit Provenance(const ptx::Function& function);

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
