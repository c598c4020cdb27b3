// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "compile/kernel.h"

namespace tilestep::compile {

/// The layout of a structure, as in C on a GPU: the offset of each member is a multiple of the
/// member's size, and the total size is a multiple of the structure's alignment.
struct StructureLayout {
  std::vector<uint64_t> offsets;  ///< For each member.
  uint64_t bytes = 0;
};
[[nodiscard]] StructureLayout layoutOf(const OperandSpec& operand);
[[nodiscard]] uint64_t bytesOf(const FieldSpec& field);

}  // namespace tilestep::compile
