// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "base/process/run_command.h"
#include "base/result.h"
#include "compile/compiler.h"
#include "compile/compilers/allowance.h"
#include "compile/compilers/nvcc_answer.h"

namespace tilestep::compile {

/// The CUDA Toolkit's nvcc, which compiles host code too. Nothing that it makes is run or kept.
/// Thread-safe.
class Nvcc {
 public:
  /// The nvcc of this machine. Null where there is none, where the toolkit is hidden, and where the
  /// system cannot keep other files from it: it reads all that a file asks for. `program`: this
  /// program, which starts it with limits (base/process/confine.h); null without.
  [[nodiscard]] static std::unique_ptr<Nvcc> find(const std::string& program);

  /// Whether nvcc takes the file with its tunables for its `arch`. Its language is C++17, with
  /// nvcc's options for device lambdas, for constexpr functions without __device__ and for
  /// relocatable code. What it refuses it may take otherwise: for the newest GPU that it knows, as
  /// C++20 where it knows that. `unknown` where this nvcc compiles nothing, because it finds no
  /// compiler of the host for instance. An Error of kind work where it gives no answer: it reaches
  /// a limit or crashes. The limits hold for all that is asked together.
  [[nodiscard]] Result<NvccAnswer> ask(const CompileRequest& asked);

 private:
  Nvcc(std::string path, std::string program)
      : path_(std::move(path)), program_(std::move(program)) {}

  struct Options {
    std::string arch, standard;
  };
  /// What is asked of it until it has answered, and only where it refuses something.
  struct About {
    bool compiles = false;  ///< A file in which nothing is wrong.
    std::string version;    ///< "13.0"
    std::string newest;     ///< The newest `arch` that it knows.
  };

  /// Has it compile the request's file in that folder, so that only its exit status and output
  /// count.
  [[nodiscard]] Result<CommandResult> compile(const CompileRequest& request, const Options& options,
                                              const std::filesystem::path& folder,
                                              Allowance& limits) const;
  [[nodiscard]] Result<CommandResult> run(const std::vector<std::string>& words,
                                          const std::filesystem::path& folder,
                                          Allowance& limits) const;
  [[nodiscard]] Result<About> about(Allowance& limits, const std::filesystem::path& folder);

  std::string path_, program_;
  std::mutex mutex_;            ///< Guards what follows.
  std::optional<About> about_;  ///< Once it was asked, and all of it answered.
};

}  // namespace tilestep::compile
