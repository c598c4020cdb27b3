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
  std::string limiter;  ///< This program, which sets the limits. Empty: only time is limited.
  std::string searchPath = "/usr/local/bin:/usr/bin:/bin";  ///< Its PATH.
  uint64_t leastBytes = 0;                     ///< The memory without which it cannot start.
  uint64_t longestFile = uint64_t{256} << 20;  ///< In bytes.
  bool keepsFiles = false;  ///< It can open only the files in `readable` and in its folder.
  std::vector<std::filesystem::path> readable;
  bool endsAll = false;  ///< Its children are killed when this process ends, even if it is killed.

  /// Runs it to its end; the first word is its path. It may write only in `folder`, which is its
  /// HOME and TMPDIR. Otherwise its environment consists of PATH, LC_ALL and our LD_LIBRARY_PATH,
  /// so that no other variable can influence it.
  [[nodiscard]] Result<CommandResult> run(const std::vector<std::string>& words,
                                          const std::filesystem::path& folder,
                                          const CompileLimits& limits) const;
};

}  // namespace tilestep::compile
