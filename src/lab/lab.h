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
  std::string cacheFolder;          ///< Empty: nothing is kept on disk.
  unsigned interpreterThreads = 0;  ///< 0: all cores.
  std::string program = {};         ///< As compile::CompileService::Options has it.
  uint64_t memoryBytes = 0;         ///< As Experiment has it, for every run; the smaller one holds.
};

/// The current stage of the work, for display: "compiling matmul_tiled".
struct Stage {
  Stage(std::string says, std::optional<double> share = {})
      : text(std::move(says)), fraction(share) {}
  std::string text;
  std::optional<double> fraction;  ///< Finished share of the stage, 0 to 1, if known.
};

/// Runs experiments, one at a time, on devices that it opens on first use. Owned by the worker.
class Lab {
 public:
  explicit Lab(Options options);
  ~Lab();

  /// Compiles, plans, runs, checks and reduces. `progress` gets one short sentence per stage, and
  /// again as the stage advances. It is called on the calling thread.
  using Progress = std::function<void(const Stage& stage)>;
  Result<RunResult> run(const Experiment& experiment, const device::Cancelled& cancelled,
                        const Progress& progress);

  /// Launches the experiment's kernel again and again on its GPU until cancelled. Whatever ends it
  /// is an Error. `sink` is device::LiveOrder's. Another Tilestep that waits for the GPU gets its
  /// turn every two seconds. The interpreter and recordings are refused because they have no live
  /// times.
  Status live(const Experiment& experiment, const std::function<void(device::LiveBatch&&)>& sink,
              const device::Cancelled& cancelled, const Progress& progress);

  /// simt first, then each GPU that answers.
  std::vector<device::DeviceInfo> devices();
  /// The ceilings of `device`: measured on a GPU (once, and kept on disk), else from
  /// assets/devices.
  Result<device::Ceilings> ceilings(const std::string& device);
  /// The compiler in use, or why there is none.
  Result<std::string> compiler();
  /// The PTX that would run, with the counting instrumentation if asked for.
  Result<std::string> ptx(const Experiment& experiment, bool instrumented);

  /// Whether a device is lost to this process, so that further work needs another process.
  [[nodiscard]] bool spent() const;

 private:
  /// Memory that is not there is an Error.
  Result<RunResult> runGuarded(const Experiment& experiment, const device::Cancelled& cancelled,
                               const Progress& progress);
  Result<RunResult> runOne(const Experiment& experiment, const device::Cancelled& cancelled,
                           const Progress& progress);
  struct State;
  std::unique_ptr<State> state_;
};

/// The document of `run --json`, on which scripts rely.
[[nodiscard]] std::string toJson(const RunResult& result);
/// With the key `what_if` where there are any.
[[nodiscard]] std::string toJson(const RunResult& result, const std::vector<WhatIf>& whatIfs);

}  // namespace tilestep::lab
