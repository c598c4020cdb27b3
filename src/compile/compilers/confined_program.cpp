// SPDX-License-Identifier: Apache-2.0
#include "compile/compilers/confined_program.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>

#include "base/process/confine.h"

namespace tilestep::compile {

Result<CommandResult> ConfinedProgram::run(const std::vector<std::string>& words,
                                           const std::filesystem::path& folder,
                                           const CompileLimits& limits) const {
  CommandRules rules;
  rules.time = limits.time;
  rules.cancelled = limits.cancelled;
  rules.environment = std::vector<std::string>{
      "PATH=" + searchPath, "LC_ALL=C", "HOME=" + folder.string(), "TMPDIR=" + folder.string()};
  if (const char* libraries = std::getenv("LD_LIBRARY_PATH"))
    rules.environment->push_back(std::string("LD_LIBRARY_PATH=") + libraries);
  if (limiter.empty()) return runCommand(words, rules);
  Confinement confinement;
  confinement.memoryBytes = std::max(limits.memoryBytes, leastBytes);
  confinement.fileBytes = longestFile;
  // A limit per process, in case this process ends. TimeWatch limits the sum over all processes.
  constexpr int kMoreThanWatched = 2;
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(limits.time.processor);
  confinement.cpuSeconds = static_cast<uint64_t>(kMoreThanWatched * seconds.count()) + 1;
  confinement.parent = ::getpid();
  confinement.endsAll = endsAll;
  confinement.keepsFiles = keepsFiles;
  confinement.readable = readable;
  confinement.writable = {folder, "/dev/null"};
  return runCommand(confinedCommand(limiter, confinement, words), rules);
}

}  // namespace tilestep::compile
