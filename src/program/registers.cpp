// SPDX-License-Identifier: Apache-2.0
#include "program/registers.h"

#include <unistd.h>

#include <sstream>
#include <vector>

#include "base/files.h"
#include "base/process/run_command.h"
#include "base/toolkit.h"
#include "compile/compilers/assembler_log.h"

namespace tilestep::program {
namespace {

constexpr std::string_view kComment = "// ";

}  // namespace

std::string findPtxas() {
  constexpr const char* kFolders[] = {"bin"};
  constexpr const char* kNames[] = {"ptxas"};
  const Result<std::vector<std::string>> paths = toolkitPaths(kFolders, kNames);
  if (!paths) return {};
  for (const std::string& path : *paths) {
    const std::string found = path.find('/') == std::string::npos ? findOnPath(path) : path;
    if (!found.empty() && access(found.c_str(), X_OK) == 0) return found;
  }
  return {};
}

std::string registerComments(const std::string& ptxas, const std::string& arch,
                             std::string_view ptx, const std::filesystem::path& folder,
                             const TimeLimits& limits) {
  const std::filesystem::path file = folder / "registers.ptx";
  if (!writeFileAtomically(file, std::string(ptx))) return {};
  const Result<CommandResult> ran = runCommand(
      {ptxas, "-v", "-arch=" + arch, "-o", (folder / "registers.cubin").string(), file.string()},
      {.time = limits});
  if (!ran || ran->exitStatus != 0 || ran->timedOut) return {};
  std::istringstream lines(compile::assembledText(compile::assembledIn(ran->output)));
  std::string comments, line;
  while (std::getline(lines, line)) comments += std::string(kComment) + line + "\n";
  return comments;
}

ptx::Assembled registersIn(std::string_view ptx) {
  std::string log;
  while (!ptx.empty()) {
    const size_t end = ptx.find('\n');
    const std::string_view line = ptx.substr(0, end);
    if (line.starts_with(kComment)) log += std::string(line.substr(kComment.size())) + "\n";
    ptx.remove_prefix(end == ptx.npos ? ptx.size() : end + 1);
  }
  return compile::assembledIn(log);
}

}  // namespace tilestep::program
