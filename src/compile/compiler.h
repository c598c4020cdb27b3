// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/process/time_watch.h"
#include "base/result.h"
#include "compile/kernel.h"
#include "ptx/assembled.h"
#include "ptx/ir.h"

namespace tilestep::compile {

/// The limits of a compile. Exceeding one stops the compiler and is an Error; if it was a time
/// limit, the Error says so (Error::late). Limits do not affect the PTX.
struct CompileLimits {
  TimeLimits time{std::chrono::milliseconds(60'000)};
  uint64_t memoryBytes = uint64_t{4} << 30;  ///< Address space.
  std::function<bool()> cancelled;           ///< Polled every few milliseconds; may be empty.
};

struct CompileRequest {
  KernelSource source;
  Bindings tunables;  ///< Passed as -DNAME=VALUE.
  std::string arch = "compute_75";
  bool relocatable = false;  ///< Keep __device__ functions that are not called in the file.
  /// If not 0, machine code is made as well, if the compiler can, for launches with blocks of up to
  /// `blockThreads` threads. Errors of ptxas are then reported, and its register counts are known.
  /// The PTX is the same. Not with `relocatable`.
  uint32_t blockThreads = 0;
  /// Always compile by clang, and keep each load behind the conditions that guard it in the source;
  /// other compiles may move it ahead of them. Hazards are judged by this code.
  bool asWritten = false;
  bool byClang = false;  ///< Always, as for users' programs.
  /// By clang, with the CUDA runtime's declarations and the standard library, so that host code is
  /// compiled as well; the PTX is the device's part. CompileService sets it if necessary.
  bool wholeProgram = false;
  /// Template instances to make, "reduce<256>". CompileService sets them from the front matter.
  std::vector<std::string> instances;
  CompileLimits limits;
};

/// PTX ready to run: parsed, with .rn added to plain f32 and f64 add, sub and mul.
struct Compiled {
  std::string ptx;  ///< Printed after that change; the driver's input.
  std::shared_ptr<const ptx::Module> module;
  std::string compilerName;     ///< "nvrtc" or "clang"
  std::string compilerVersion;  ///< "13.0"
  std::string arch;
  double ms = 0;  ///< Wall time of this compile; if cached, of the original one.
  bool cached = false;
  std::string log;           ///< Warnings.
  ptx::Assembled assembled;  ///< By the names in `module`; empty if not assembled.
};

/// One compiler. Thread-safe.
class Compiler {
 public:
  virtual ~Compiler() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual std::string version() const = 0;
  /// Other input that affects its PTX (the text of Tilestep's header for clang): part of the
  /// cache's key.
  [[nodiscard]] virtual std::string fingerprint() const { return {}; }
  /// The folders that it reads, if it compiles in this process.
  [[nodiscard]] virtual std::vector<std::string> folders() const { return {}; }
  /// Whether it has no access to other files while it compiles.
  [[nodiscard]] virtual bool keepsFiles() const { return false; }
  /// Returns PTX text. A compile error carries file:line:column and the source line. The log of a
  /// request with `blockThreads` may contain messages of ptxas (compilers/assembler_log.h).
  virtual Result<std::string> compile(const CompileRequest& request, std::string& log) = 0;
};

/// NVRTC through dlopen, in this process, where limits and cancelling have no effect; null if it is
/// not found or the CUDA Toolkit is hidden. An Error if it cannot be loaded, for example because
/// memory is exhausted.
Result<std::unique_ptr<Compiler>> openNvrtc();
/// The newest clang on PATH that can emit NVPTX; null if there is none. `program`: this program,
/// which starts clang with limits (base/confine.h); empty: no limits. An Error if it cannot be
/// determined whether there is one: no temporary folder, or a clang that cannot be started.
Result<std::unique_ptr<Compiler>> openClang(const std::string& headerFolder,
                                            const std::string& program = {});

/// Rejects text that would read other files (directives.h), and compiles with the first available
/// compiler. A rejected file may contain host code, so clang then compiles it as a whole program.
/// Results are cached in memory and on disk by everything that affects them
/// (compilers/ptx_cache.h). $TILESTEP_COMPILER=nvrtc|clang selects the compiler;
/// $TILESTEP_TOOLKIT=none hides NVRTC with its toolkit.
class CompileService {
 public:
  struct Options {
    std::string home;         ///< Contains kernels/; the header for clang is found from here.
    std::string cacheFolder;  ///< Empty: memory only.
    std::string prefer;       ///< "nvrtc", "clang" or empty.
    /// This program, whose main() calls runIfConfined and serveIfCompiler: compilers then run in
    /// separate processes, with limits and without access to other files. Empty: NVRTC runs in this
    /// process.
    std::string program;
  };
  explicit CompileService(const Options& options);
  ~CompileService();

  /// Thread-safe.
  Result<std::shared_ptr<const Compiled>> compile(const CompileRequest& request);
  /// For `devices`: the compiler in use, and whether the toolkit is hidden; an Error with the
  /// reason if there is none.
  Result<std::string> description() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tilestep::compile
