// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ptx/ir.h"

namespace tilestep::golden {

/// The PTX of a golden case of the command `run`, to be run again in another shape.
struct Program {
  std::string name, header;
  ptx::Module module;
};

/// Those in tests/golden/run. They get a second each.
[[nodiscard]] std::vector<Program> runPrograms();

/// Whether an instruction of that root occurs.
[[nodiscard]] bool uses(const Program& program, ptx::Opcode root);

}  // namespace tilestep::golden
