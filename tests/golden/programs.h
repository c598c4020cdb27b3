// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ptx/ir.h"

namespace tilestep::golden {

/// The PTX of a golden case of the command `run`, for running it again in another shape.
struct Program {
  std::string name, header;
  ptx::Module module;
};

/// The cases in tests/golden/run. Each gets a second.
[[nodiscard]] std::vector<Program> runPrograms();

/// Whether the program has an instruction with that root.
[[nodiscard]] bool uses(const Program& program, ptx::Opcode root);

}  // namespace tilestep::golden
