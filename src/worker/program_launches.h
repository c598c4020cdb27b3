// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>

#include "compile/program_source.h"
#include "device/captured.h"
#include "lab/lab.h"

namespace tilestep::worker {

/// Captures launches of users' programs: runs the program, and fills in the launch that an
/// experiment names. Caches the most recent launches. Not thread-safe.
class ProgramLaunches {
 public:
  explicit ProgramLaunches(const lab::Options& options) : options_(options) {}

  /// Adds the launch that the experiment names, and the data of the launch that it names as the
  /// source of its inputs. An experiment that names neither is returned unchanged. Errors: the
  /// program has no such launch, or its file differs from the file in the experiment.
  Result<lab::Experiment> withLaunch(lab::Experiment experiment, const device::Cancelled& cancelled,
                                     const lab::Lab::Progress& progress);

 private:
  using Pointer = std::shared_ptr<const device::CapturedLaunch>;
  struct Kept {
    compile::ProgramLaunch launch;
    std::string text;
    Pointer captured;
  };
  Result<Pointer> take(const compile::ProgramLaunch& launch, const std::string& text,
                       const device::Cancelled& cancelled, const lab::Lab::Progress& progress);
  void keep(Kept kept);

  lab::Options options_;
  std::deque<Kept> kept_;  ///< The newest is last.
};

}  // namespace tilestep::worker
