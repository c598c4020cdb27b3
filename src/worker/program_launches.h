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

/// Launches of people's programs as values: an experiment that names one gets it here. The program
/// is run for it; the last launches are kept. One thread.
class ProgramLaunches {
 public:
  explicit ProgramLaunches(const lab::Options& options) : options_(options) {}

  /// Takes the launch that the experiment is of, and the data of the launch that it is beside. An
  /// experiment that names neither is returned as it is. Errors: the program has no such launch, or
  /// its file is no longer what the experiment says.
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
  std::deque<Kept> kept_;  ///< The newest last.
};

}  // namespace tilestep::worker
