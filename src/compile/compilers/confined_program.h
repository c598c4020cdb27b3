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

/// A compiler's program, and what it may do while it reads what others wrote.
struct ConfinedProgram {
  std::string limiter;  ///< This program, which sets the limits. Empty: only time is limited.
  std::string searchPath = "/usr/local/bin:/usr/bin:/bin";  ///< Its variable PATH.
  uint64_t leastBytes = 0;                     ///< Of memory; it could not start with less.
  uint64_t longestFile = uint64_t{256} << 20;  ///< In bytes.
  bool keepsFiles = false;  ///< It opens none but those in `readable` and in its folder.
  std::vector<std::filesystem::path> readable;
  bool endsAll = false;  ///< Its children end with this process, even if that is killed.

  /// Runs it to its end; the first of the words is its path. It may write in `folder` alone, which
  /// is its HOME and TMPDIR. Besides these it has PATH, LC_ALL and our LD_LIBRARY_PATH: no other
  /// variable has it read or do anything else.
  [[nodiscard]] Result<CommandResult> run(const std::vector<std::string>& words,
                                          const std::filesystem::path& folder,
                                          const CompileLimits& limits) const;
};

}  // namespace tilestep::compile
