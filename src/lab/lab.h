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
};

/// What work is at, for people: "compiling matmul_tiled".
struct Stage {
  Stage(std::string says, std::optional<double> share = {})
      : text(std::move(says)), fraction(share) {}
  std::string text;
  std::optional<double> fraction;  ///< Of the stage that is done, 0 to 1, where known.
};

/// Runs experiments, one at a time, on devices it opens when first asked for. Owned by the worker.
class Lab {
 public:
  explicit Lab(Options options);
  ~Lab();

  /// Compile, plan, run, check, reduce. `progress` gets one short sentence a stage, again when more
  /// of it is done; called on the calling thread.
  using Progress = std::function<void(const Stage& stage)>;
  Result<RunResult> run(const Experiment& experiment, const device::Cancelled& cancelled,
                        const Progress& progress);

  /// The experiment's kernel again and again on its GPU, until cancelled: whatever ends it is an
  /// Error. `sink` is device::LiveOrder's. Another Tilestep that waits for the GPU gets its turn
  /// every two seconds. The interpreter and recordings are refused: they have no stream of times.
  Status live(const Experiment& experiment, const std::function<void(device::LiveBatch&&)>& sink,
              const device::Cancelled& cancelled, const Progress& progress);

  /// simt first, then each GPU that answers.
  std::vector<device::DeviceInfo> devices();
  /// Of `device`: measured on a GPU (once, kept on disk), from assets/devices otherwise.
  Result<device::Ceilings> ceilings(const std::string& device);
  /// The compiler in use, or why there is none.
  Result<std::string> compiler();
  /// The PTX that would run; with the counting instrumentation woven in when asked.
  Result<std::string> ptx(const Experiment& experiment, bool instrumented);

  /// A device is lost to this process: what follows needs another one.
  [[nodiscard]] bool spent() const;

 private:
  Result<RunResult> runOne(const Experiment& experiment, const device::Cancelled& cancelled,
                           const Progress& progress);
  struct State;
  std::unique_ptr<State> state_;
};

/// `run --json` as shared scripts read it (docs/architecture.md, JSON).
[[nodiscard]] std::string toJson(const RunResult& result);
/// With the key `what_if` where there are any.
[[nodiscard]] std::string toJson(const RunResult& result, const std::vector<WhatIf>& whatIfs);

}  // namespace tilestep::lab
