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

/// The limits of a compile. A compiler that exceeds a limit is stopped, which is an Error, with
/// Error::late for a time limit. Limits do not affect the PTX.
struct CompileLimits {
  TimeLimits time{std::chrono::milliseconds(60'000)};
  uint64_t memoryBytes = uint64_t{4} << 30;  ///< Address space.
  std::function<bool()> cancelled;           ///< Polled every few milliseconds; may be empty.
};

struct CompileRequest {
  KernelSource source;
  Bindings tunables;  ///< Passed as -DNAME=VALUE.
  std::string arch = "compute_75";
  bool relocatable = false;  ///< Keeps __device__ functions that the file does not call.
  /// If not 0, also generates machine code, if the compiler can, for blocks of up to `blockThreads`
  /// threads. This reports errors of ptxas and returns its register counts; it does not change the
  /// PTX. Not supported with `relocatable`.
  uint32_t blockThreads = 0;
  /// Compiles with clang, and keeps each load after the conditions that guard it in the source,
  /// ahead of which optimisation might move it. Hazards are found in this code.
  bool asWritten = false;
  bool byClang = false;  ///< Compiles with clang, as for users' programs.
  /// Compiles with clang, the CUDA runtime's declarations and the standard library, so that the
  /// source may contain host code. Only device code becomes PTX. Set by CompileService.
  bool wholeProgram = false;
  /// Template instances to compile, such as "reduce<256>". Set by CompileService.
  std::vector<std::string> instances;
  CompileLimits limits;
};

/// PTX that is ready to run: parsed, with .rn added if floating-point add, sub or mul needs it.
struct Compiled {
  std::string ptx;  ///< The module as text, for the driver.
  std::shared_ptr<const ptx::Module> module;
  std::string compilerName;     ///< "nvrtc" or "clang"
  std::string compilerVersion;  ///< "13.0"
  std::string arch;
  double ms = 0;  ///< Wall time of this compile or, if cached, of the original compile.
  bool cached = false;
  std::string log;           ///< Warnings.
  ptx::Assembled assembled;  ///< Keyed by the names in `module`; empty if not assembled.
};

/// One compiler. Thread-safe.
class Compiler {
 public:
  virtual ~Compiler() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual std::string version() const = 0;
  /// A hash of other input that affects the PTX (Tilestep's headers for clang), for the cache key.
  [[nodiscard]] virtual std::string fingerprint() const { return {}; }
  /// The folders that the compiler reads, if it runs in this process.
  [[nodiscard]] virtual std::vector<std::string> folders() const { return {}; }
  /// Whether it cannot access other files while it compiles.
  [[nodiscard]] virtual bool keepsFiles() const { return false; }
  /// Returns PTX. A compile error contains the file, line, column and source line. The log of a
  /// request with `blockThreads` may contain messages of ptxas (compilers/assembler_log.h).
  virtual Result<std::string> compile(const CompileRequest& request, std::string& log) = 0;
};

/// Loads NVRTC into this process, where limits and cancelling have no effect. Null if NVRTC is not
/// found or the CUDA Toolkit is hidden. An Error if loading it fails.
Result<std::unique_ptr<Compiler>> openNvrtc();
/// The newest clang on PATH that can emit PTX; null if there is none. `program` is this program's
/// path, with which clang is started under limits (base/process/confine.h); if empty, there are no
/// limits. An Error if it cannot be determined whether such a clang exists, because there is no
/// temporary folder or a clang cannot be started.
Result<std::unique_ptr<Compiler>> openClang(const std::string& headerFolder,
                                            const std::string& program = {});

/// Rejects sources that would read other files (directives.h), and compiles with the first
/// available compiler. A file that the compiler rejects may contain host code, so clang then
/// compiles it as a whole program. Results are cached in memory and on disk
/// (compilers/ptx_cache.h). $TILESTEP_COMPILER=nvrtc|clang selects the compiler;
/// $TILESTEP_TOOLKIT=none hides the CUDA Toolkit and its NVRTC.
class CompileService {
 public:
  struct Options {
    std::string home;         ///< Contains kernels/ and assets/, with the headers for clang.
    std::string cacheFolder;  ///< If empty, results are cached only in memory.
    std::string prefer;       ///< "nvrtc", "clang" or empty.
    /// This program's path; its main() must call runIfConfined() and serveIfCompiler(). Compilers
    /// then run in separate processes with limits and without access to other files. If empty,
    /// NVRTC runs in this process.
    std::string program;
  };
  explicit CompileService(const Options& options);
  ~CompileService();

  /// Thread-safe.
  Result<std::shared_ptr<const Compiled>> compile(const CompileRequest& request);
  /// For `tilestep devices`: the compiler in use, and whether the toolkit is hidden. If there is no
  /// compiler, an Error with the reason.
  Result<std::string> description() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tilestep::compile
