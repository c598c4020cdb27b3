// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/process/run_command.h"
#include "base/result.h"
#include "compile/compiler.h"

namespace tilestep::compile {

/// What nvcc says of a whole file, host code and all.
struct NvccWord {
  enum class Kind : uint8_t {
    takes,
    refuses,
    takesOtherwise,  ///< It refuses it so, and takes it as C++20 for the newest GPU that it knows.
    /// The file includes a header that is not here, nvcc does not know the `arch`, or ptxas alone
    /// refuses the file, which says so where it is asked with NVRTC.
    unknown,
  };
  Kind kind = Kind::unknown;
  /// Where it refuses the file so: the first error in code of the device, else the first one, with
  /// its place.
  std::optional<Error> error;
  bool isOfDevice = false;  ///< That error is in code of the device.
};

/// The CUDA Toolkit's nvcc, which compiles host code too. Nothing that it makes is run or kept.
class Nvcc {
 public:
  /// The nvcc of this machine. Null where there is none, where it cannot compile (it needs a
  /// compiler of the host), where the toolkit is hidden, and where the system cannot keep other
  /// files from it: it reads all that a file asks for. `program`: this program, which starts it
  /// with limits (base/process/confine.h); null without. An Error where the machine lacks what it
  /// takes to ask.
  [[nodiscard]] static Result<std::unique_ptr<Nvcc>> open(const std::string& program);

  /// Whether nvcc takes the file with its tunables for its `arch`. Its language is C++17, with
  /// nvcc's options for device lambdas, for constexpr functions without __device__ and for
  /// relocatable code. An Error of kind work where it gives no answer: it reaches a limit or
  /// crashes. Thread-safe.
  [[nodiscard]] Result<NvccWord> ask(const CompileRequest& request) const;

  /// "13.0"
  [[nodiscard]] const std::string& version() const { return version_; }

 private:
  Nvcc(std::string path, std::string program)
      : path_(std::move(path)), program_(std::move(program)) {}

  struct Options {
    std::string arch, standard;
  };

  /// Has it compile the request's file in that folder, so that only its exit status and output
  /// count.
  [[nodiscard]] Result<CommandResult> compile(const CompileRequest& request, const Options& options,
                                              const std::filesystem::path& folder) const;
  [[nodiscard]] Result<CommandResult> run(const std::vector<std::string>& words,
                                          const std::filesystem::path& folder,
                                          const CompileLimits& limits) const;

  std::string path_, program_, version_;
  std::string newest_;  ///< The newest `arch` that it knows; empty where it does not say.
};

}  // namespace tilestep::compile
