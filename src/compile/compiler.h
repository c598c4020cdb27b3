// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "compile/kernel.h"
#include "ptx/ir.h"

namespace tilestep::compile {

struct CompileRequest {
  KernelSource source;
  Bindings tunables;  ///< Become -DNAME=VALUE.
  std::string arch = "compute_75";
  bool relocatable = false;  ///< Keep __device__ functions that nothing in the file calls.
  /// Instances of templates to make, "reduce<256>". CompileService sets them from the front matter.
  std::vector<std::string> instances;
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
  std::string log;  ///< Warnings.
};

/// One compiler. Thread-safe.
class Compiler {
 public:
  virtual ~Compiler() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual std::string version() const = 0;
  /// What else decides its PTX (our header's text for clang): part of the cache's key.
  [[nodiscard]] virtual std::string fingerprint() const { return {}; }
  /// PTX text. A compile error carries file:line:column and the source line.
  virtual Result<std::string> compile(const CompileRequest& request, std::string& log) = 0;
};

/// NVRTC through dlopen; null when it is not there or the CUDA Toolkit is hidden.
std::unique_ptr<Compiler> openNvrtc();
/// The newest clang on PATH that can emit NVPTX; null when there is none.
std::unique_ptr<Compiler> openClang(const std::string& headerFolder);

/// Leaves host code out (device_part.h) and compiles with the first compiler that is there; caches
/// in memory and on disk by source, tunables, architecture, compiler and version.
/// $TILESTEP_COMPILER=nvrtc|clang chooses; $TILESTEP_TOOLKIT=none hides NVRTC with its toolkit.
class CompileService {
 public:
  struct Options {
    std::string home;         ///< Holds kernels/; the header for clang is found from here.
    std::string cacheFolder;  ///< Empty: memory only.
    std::string prefer;       ///< "nvrtc", "clang" or empty.
  };
  explicit CompileService(Options options);
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
