// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/process/run_command.h"
#include "base/result.h"
#include "compile/compiler.h"

namespace tilestep::compile {

/// A clang that is installed here, and how it is started: under limits where there is a program to
/// set them.
struct ClangProgram {
  std::string path, version;
  std::filesystem::path header;     ///< Tilestep's own, which each kernel includes first.
  std::filesystem::path resources;  ///< The folder of the headers that belong to clang.
  std::string limiter;              ///< This program, which sets the limits; may be empty.
  bool keepsFiles = false;          ///< Whether it can open only what it needs.

  /// Runs it to its end with these words, of which the first is its path. It may write in `folder`.
  [[nodiscard]] Result<CommandResult> run(const std::vector<std::string>& words,
                                          const std::filesystem::path& folder,
                                          const CompileLimits& limits) const;

  /// The folder of what a whole program includes first (program.h), beside `header`'s folder.
  [[nodiscard]] std::filesystem::path wholeHeaders() const;

  /// Its path and what every clang from 14 on takes to write PTX for `arch`, with no CUDA Toolkit
  /// and without looking for one. `work` is a folder of its own.
  [[nodiscard]] std::vector<std::string> words(const std::string& arch,
                                               const std::filesystem::path& work) const;
  /// With these words added, it writes LLVM's code, not optimised yet, for codeWords(). Functions
  /// are marked for ThreadSanitizer, so that optimisation runs no load ahead of the condition that
  /// guards it; nothing is instrumented.
  [[nodiscard]] static std::vector<std::string> earlyCodeWords();
  /// Its path and the words to optimise that code and make PTX of it for `arch`.
  [[nodiscard]] std::vector<std::string> codeWords(const std::string& arch) const;
};

/// The newest clang on PATH that writes PTX; one without a path where there is none. `header`:
/// ours, which each kernel includes first. `limiter`: this program, which starts it with limits;
/// empty: it is started without. An Error where it is not known whether there is one.
Result<ClangProgram> findClang(const std::filesystem::path& header,
                               const std::string& limiter = {});

/// The compiler of that program.
[[nodiscard]] std::unique_ptr<Compiler> clangCompiler(ClangProgram program);

}  // namespace tilestep::compile
