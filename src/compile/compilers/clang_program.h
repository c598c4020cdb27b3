// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/process/run_command.h"
#include "base/result.h"
#include "compile/compiler.h"

namespace tilestep::compile {

/// An installed clang and how to start it: with limits, if there is a program to set them.
struct ClangProgram {
  std::string path, version;
  std::filesystem::path header;     ///< Tilestep's own, included first by each kernel.
  std::filesystem::path resources;  ///< The folder of clang's own headers.
  std::string limiter;              ///< This program, which sets the limits; may be empty.
  bool keepsFiles = false;          ///< Whether it can open only the files it needs.

  /// Runs it to its end with these words, the first of which is its path. It may write in `folder`.
  [[nodiscard]] Result<CommandResult> run(const std::vector<std::string>& words,
                                          const std::filesystem::path& folder,
                                          const CompileLimits& limits) const;

  /// The folder of the headers that a whole program includes first (program.h), beside `header`'s.
  [[nodiscard]] std::filesystem::path wholeHeaders() const;

  /// Its path and the options with which any clang from 14 on emits PTX for `arch`, without using
  /// or searching for a CUDA Toolkit. `work` is a folder of its own.
  [[nodiscard]] std::vector<std::string> words(const std::string& arch,
                                               const std::filesystem::path& work) const;
  /// Additional options to emit unoptimised LLVM code for codeWords(). Functions are marked for
  /// ThreadSanitizer, so that optimisation moves no load ahead of the condition that guards it;
  /// nothing is instrumented.
  [[nodiscard]] static std::vector<std::string> earlyCodeWords();
  /// Its path and the options to optimise that code and emit PTX for `arch`.
  [[nodiscard]] std::vector<std::string> codeWords(const std::string& arch) const;
};

/// The newest clang on PATH that emits PTX; without a path if there is none. `header`: Tilestep's
/// own, included first by each kernel. `limiter`: this program, which starts it with limits; empty:
/// no limits. An Error if it cannot be determined whether there is one.
Result<ClangProgram> findClang(const std::filesystem::path& header,
                               const std::string& limiter = {});

/// The compiler of that program.
[[nodiscard]] std::unique_ptr<Compiler> clangCompiler(ClangProgram program);

}  // namespace tilestep::compile
