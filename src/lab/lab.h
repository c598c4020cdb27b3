// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "compile/compiler.h"
#include "device/live.h"
#include "lab/experiment.h"

namespace tilestep::lab {

struct WhatIf;

struct Options {
  std::string home;                 ///< Holds kernels/ and assets/.
  std::string cacheFolder;          ///< If empty, nothing is stored on disk.
  unsigned interpreterThreads = 0;  ///< 0 for all cores.
  std::string program = {};         ///< See compile::CompileService::Options.
  /// Applies to every run. An experiment's own limit applies if smaller.
  uint64_t memoryBytes = 0;
};

/// The current stage of the work, for display: "compiling matmul_tiled".
struct Stage {
  Stage(std::string says, std::optional<double> share = {})
      : text(std::move(says)), fraction(share) {}
  std::string text;
  std::optional<double> fraction;  ///< Finished share of the stage, 0 to 1; absent if unknown.
};

/// Runs experiments, one at a time, on devices that it opens on first use. Owned by the worker.
class Lab {
 public:
  explicit Lab(Options options);
  ~Lab();

  /// Compiles, plans, runs, checks and reduces. Calls `progress` on the calling thread at the start
  /// of each stage and as the stage advances.
  using Progress = std::function<void(const Stage& stage)>;
  Result<RunResult> run(const Experiment& experiment, const device::Cancelled& cancelled,
                        const Progress& progress);

  /// Launches the experiment's kernel repeatedly on its GPU until cancelled. Always ends with an
  /// Error. `sink` works as in device::LiveOrder. Every two seconds, another Tilestep that waits
  /// for the GPU gets a turn. Rejects the interpreter and recordings, which have no live times.
  Status live(const Experiment& experiment, const std::function<void(device::LiveBatch&&)>& sink,
              const device::Cancelled& cancelled, const Progress& progress);

  /// simt first, then each GPU that responds.
  std::vector<device::DeviceInfo> devices();
  /// The ceilings of `device`. A GPU's ceilings are measured once and stored on disk; other
  /// devices' come from a recording or assets/devices.
  Result<device::Ceilings> ceilings(const std::string& device);
  /// The compiler in use, or why there is none.
  Result<std::string> compiler();
  /// The PTX that would run, optionally with the counting instrumentation.
  Result<std::string> ptx(const Experiment& experiment, bool instrumented);

  /// Whether a device no longer works in this process, so that further work needs a new process.
  [[nodiscard]] bool spent() const;

 private:
  /// Returns an Error if memory runs out.
  Result<RunResult> runGuarded(const Experiment& experiment, const device::Cancelled& cancelled,
                               const Progress& progress);
  Result<RunResult> runOne(const Experiment& experiment, const device::Cancelled& cancelled,
                           const Progress& progress);
  struct State;
  std::unique_ptr<State> state_;
};

/// The output of `run --json`. Scripts depend on its format.
[[nodiscard]] std::string toJson(const RunResult& result);
/// Adds the key `what_if` if `whatIfs` is not empty.
[[nodiscard]] std::string toJson(const RunResult& result, const std::vector<WhatIf>& whatIfs);

}  // namespace tilestep::lab
