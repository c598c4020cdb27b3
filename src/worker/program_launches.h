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

/// Turns launches of users' programs into values: fills in the launch that an experiment names.
/// Runs the program for that purpose; the most recent launches are cached. One thread.
class ProgramLaunches {
 public:
  explicit ProgramLaunches(const lab::Options& options) : options_(options) {}

  /// Adds the launch that the experiment names, and the data of the launch that it is compared
  /// with. An experiment that names neither is returned unchanged. Errors: the program has no such
  /// launch, or its file differs from the one in the experiment.
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
