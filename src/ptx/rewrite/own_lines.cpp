// SPDX-License-Identifier: Apache-2.0
#include "ptx/rewrite/own_lines.h"

namespace tilestep::ptx {

void dropLinesAbove(Module& module, uint32_t lines) {
  for (Function& function : module.functions) {
    for (Instruction& instruction : function.body) {
      if (instruction.outerLine.line <= lines) continue;
      const SourceLine none{instruction.outerLine.file, 0, 0};
      instruction.source = instruction.outerLine = none;
    }
  }
}

}  // namespace tilestep::ptx
