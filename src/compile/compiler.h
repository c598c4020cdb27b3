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

/// The limits of a compile. A compiler that reaches one of them is stopped, and the compile
/// is an Error, which says so where it was one of time (Error::late). They do not decide the PTX.
struct CompileLimits {
  TimeLimits time{std::chrono::milliseconds(60'000)};
  uint64_t memoryBytes = uint64_t{4} << 30;  ///< Of address space.
  std::function<bool()> cancelled;           ///< Asked every few milliseconds; may be empty.
};

struct CompileRequest {
  KernelSource source;
  Bindings tunables;  ///< Become -DNAME=VALUE.
  std::string arch = "compute_75";
  bool relocatable = false;  ///< Keep __device__ functions that nothing in the file calls.
  /// Not 0: make machine code of it as well, where the compiler can, for launches with blocks of up
  /// to `blockThreads` threads. What ptxas refuses is then an error, and what it says of registers
  /// is known. The PTX is the same. Not with `relocatable`.
  uint32_t blockThreads = 0;
  /// By clang in any case, with each load behind the conditions that guard it in the text, ahead of
  /// which other compiles may run it. Hazards are judged by this code.
  bool asWritten = false;
  bool byClang = false;  ///< In any case, as people's programs are.
  /// By clang, with the CUDA runtime's declarations and the standard library, so that host code is
  /// compiled as well; the PTX is the device's part. CompileService sets it where that is needed.
  bool wholeProgram = false;
  /// Instances of templates to make, "reduce<256>". CompileService sets them from the front matter.
  std::vector<std::string> instances;
  CompileLimits limits;
};

/// PTX ready to run: parsed, with plain f32 and f64 add, sub and mul written .rn.
struct Compiled {
  std::string ptx;  ///< Printed after that change; what the driver gets.
  std::shared_ptr<const ptx::Module> module;
  std::string compilerName;     ///< "nvrtc" or "clang"
  std::string compilerVersion;  ///< "13.0"
  std::string arch;
  double ms = 0;  ///< Wall time of this compile; of the first one when cached.
  bool cached = false;
  std::string log;           ///< Warnings.
  ptx::Assembled assembled;  ///< By the names in `module`; empty where it was not assembled.
};

/// One compiler. Thread-safe.
class Compiler {
 public:
  virtual ~Compiler() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual std::string version() const = 0;
  /// Other input that decides its PTX (our header's text for clang): part of the cache's key.
  [[nodiscard]] virtual std::string fingerprint() const { return {}; }
  /// The folders that it reads, if it compiles in this process.
  [[nodiscard]] virtual std::vector<std::string> folders() const { return {}; }
  /// Whether it is kept from all other files while it compiles.
  [[nodiscard]] virtual bool keepsFiles() const { return false; }
  /// PTX text. A compile error carries file:line:column and the source line. The log of a request
  /// with `blockThreads` may hold what ptxas says (compilers/assembler_log.h).
  virtual Result<std::string> compile(const CompileRequest& request, std::string& log) = 0;
};

/// NVRTC through dlopen, in this process, where neither limits nor cancelling reach it; null when
/// it is not there or the CUDA Toolkit is hidden. An Error where the machine lacks what it takes to
/// load it, such as memory.
Result<std::unique_ptr<Compiler>> openNvrtc();
/// The newest clang on PATH that can emit NVPTX; null when there is none. `program`: this program,
/// which starts it with limits (base/confine.h); empty: it is started without. An Error where it is
/// not known whether there is one: no temporary folder, or a clang that cannot be started.
Result<std::unique_ptr<Compiler>> openClang(const std::string& headerFolder,
                                            const std::string& program = {});

/// Refuses what would read other files (directives.h), and compiles with the first compiler that is
/// there. A file that it does not take may have host code, so clang then compiles the file as a
/// whole program. Caches in memory and on disk by all that decides the result
/// (compilers/ptx_cache.h). $TILESTEP_COMPILER=nvrtc|clang chooses; $TILESTEP_TOOLKIT=none hides
/// NVRTC with its toolkit.
class CompileService {
 public:
  struct Options {
    std::string home;         ///< Holds kernels/; the header for clang is found from here.
    std::string cacheFolder;  ///< Empty: memory only.
    std::string prefer;       ///< "nvrtc", "clang" or empty.
    /// This program, whose main() calls runIfConfined and serveIfCompiler: compilers then run in
    /// processes of their own, with limits and with no files but theirs. Empty: NVRTC runs in this
    /// process.
    std::string program;
  };
  explicit CompileService(const Options& options);
  ~CompileService();

  /// Thread-safe.
  Result<std::shared_ptr<const Compiled>> compile(const CompileRequest& request);
  /// For `devices`: the compiler in use, and whether the toolkit is hidden; or why there is none.
  Result<std::string> description() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tilestep::compile
