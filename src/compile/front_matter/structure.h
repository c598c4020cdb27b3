// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "compile/kernel.h"

namespace tilestep::compile {

/// The offsets of a structure's members, as in C on a GPU: each member at a multiple of its size,
/// the total size a multiple of the alignment.
struct StructureLayout {
  std::vector<uint64_t> offsets;  ///< By member.
  uint64_t bytes = 0;
};
[[nodiscard]] StructureLayout layoutOf(const OperandSpec& operand);
[[nodiscard]] uint64_t bytesOf(const FieldSpec& field);

}  // namespace tilestep::compile
