// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/process/run_command.h"
#include "base/result.h"
#include "compile/compiler.h"

namespace tilestep::compile {

/// A compiler's program and its permissions while it reads untrusted input.
struct ConfinedProgram {
  std::string limiter;  ///< This program's path for confinedCommand(), or empty to limit only time.
  std::string searchPath = "/usr/local/bin:/usr/bin:/bin";  ///< Its PATH.
  uint64_t leastBytes = 0;                     ///< The program needs this much memory to start.
  uint64_t longestFile = uint64_t{256} << 20;  ///< The largest file that it may write, in bytes.
  bool keepsFiles = false;  ///< Restricts its file access to `readable` and the folder of run().
  std::vector<std::filesystem::path> readable;
  bool endsAll = false;  ///< Kills its children, too, when this process ends.

  /// Runs the command line `words`, which starts with the program's path, to its end. The program
  /// may write only in `folder`. To exclude other influences, its environment consists of HOME and
  /// TMPDIR (both `folder`), PATH, LC_ALL and our LD_LIBRARY_PATH.
  [[nodiscard]] Result<CommandResult> run(const std::vector<std::string>& words,
                                          const std::filesystem::path& folder,
                                          const CompileLimits& limits) const;
};

}  // namespace tilestep::compile
