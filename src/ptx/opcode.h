// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace tilestep::ptx {

/// Root opcodes of PTX (the word before the first dot). opcodes.def is the one table.
enum class Opcode : uint8_t {
  none,
#define TILESTEP_OPCODE(id, text, tier, form) id,
#include "ptx/opcodes.def"
#undef TILESTEP_OPCODE
};

/// The root's text ("ld"); empty for none.
[[nodiscard]] std::string_view toText(Opcode opcode);
/// Opcode::none when there is no such root.
[[nodiscard]] Opcode opcodeOf(std::string_view root);

}  // namespace tilestep::ptx
