// SPDX-License-Identifier: Apache-2.0
#include "ptx/source_file.h"

namespace tilestep::ptx {

std::string sourceFileOf(const Module& module, const Function& function) {
  for (const Instruction& each : function.body) {
    const auto file = module.files.find(each.outerLine.file);
    if (each.outerLine.line > 0 && file != module.files.end()) return file->second;
  }
  return {};
}

}  // namespace tilestep::ptx
