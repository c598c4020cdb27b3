// SPDX-License-Identifier: Apache-2.0
#include "golden/programs.h"

#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "ptx/text/parser.h"
#include "support/source_root.h"

namespace tilestep::golden {

std::vector<Program> runPrograms() {
  std::vector<Program> found;
  const std::filesystem::path folder = support::sourceRoot() + "/tests/golden/run";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".ptx") continue;
    std::string text = readTextFile(entry.path()).value();
    text.resize(std::min(text.find("//! expected:"), text.size()));
    std::string header = "//! command: run\n";
    for (size_t at = text.find('\n') + 1; text.compare(at, 3, "//!") == 0;) {
      const size_t end = text.find('\n', at) + 1;
      header += text.substr(at, end - at);
      at = end;
    }
    header += "//! seconds: 1\n";
    const std::string name = entry.path().filename().string();
    found.push_back({name, header, ptx::parse(text, name).value()});
  }
  return found;
}

bool uses(const Program& program, ptx::Opcode root) {
  return std::ranges::any_of(program.module.functions, [&](const ptx::Function& function) {
    return std::ranges::any_of(function.body,
                               [&](const ptx::Instruction& in) { return in.opcode == root; });
  });
}

}  // namespace tilestep::golden
