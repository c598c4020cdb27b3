// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/process/run_command.h"
#include "base/result.h"
#include "compile/compiler.h"

namespace tilestep::compile {

/// An installed clang and how to start it.
struct ClangProgram {
  std::string path, version;
  std::filesystem::path header;     ///< Tilestep's header, which every kernel includes first.
  std::filesystem::path resources;  ///< The folder of clang's headers.
  std::string limiter;  ///< This program's path for confinedCommand(); if empty, no limits apply.
  bool keepsFiles = false;  ///< Whether clang can open only the files that it needs.

  /// Runs the command line `words`, which starts with clang's path. Clang may write in `folder`.
  [[nodiscard]] Result<CommandResult> run(const std::vector<std::string>& words,
                                          const std::filesystem::path& folder,
                                          const CompileLimits& limits) const;

  /// The folder of program.h, which whole programs include first.
  [[nodiscard]] std::filesystem::path wholeHeaders() const;

  /// Clang's path and the options with which clang 14 or newer emits PTX for `arch` without using
  /// or searching for a CUDA Toolkit. `work` is a temporary folder.
  [[nodiscard]] std::vector<std::string> words(const std::string& arch,
                                               const std::filesystem::path& work) const;
  /// Additional options to emit unoptimised LLVM code for codeWords(). Functions are marked for
  /// ThreadSanitizer, so that optimisation moves no load ahead of the condition that guards it. No
  /// instrumentation is added.
  [[nodiscard]] static std::vector<std::string> earlyCodeWords();
  /// Clang's path and options to optimise the code of earlyCodeWords() and emit PTX for `arch`.
  [[nodiscard]] std::vector<std::string> codeWords(const std::string& arch) const;
};

/// The newest clang on PATH that emits PTX; `path` is empty if there is none. `header` and
/// `limiter` are as in ClangProgram. An Error if the search fails.
Result<ClangProgram> findClang(const std::filesystem::path& header,
                               const std::string& limiter = {});

[[nodiscard]] std::unique_ptr<Compiler> clangCompiler(ClangProgram program);

}  // namespace tilestep::compile
