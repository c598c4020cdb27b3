// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/experiment.h"
#include "model/choice/resolved.h"
#include "model/files/lab_file.h"

/// The kernels of a lab at the sizes for which it shows times. Pure.
namespace tilestep::model {

/// The lab's kernels with timed sizes, in the lab's order; empty for null. Valid as long as the
/// lab.
[[nodiscard]] std::vector<const LabKernel*> timedKernels(const Lab* lab);

/// The launch of a timed kernel on the device in use. If that is a recording, only recorded data is
/// used. The caller adds the requested outputs. Absent if no device provides times, or if the
/// kernel cannot be read.
[[nodiscard]] std::optional<lab::Experiment> timedExperiment(const LabKernel& kernel,
                                                             const Resolved& resolved);

/// "Timed on NVIDIA H200 no. 4, recorded 2026-11-26; NVIDIA H200 no. 3, …." for the devices of
/// several times, without repetition; empty if no device is named.
[[nodiscard]] std::string timedOnText(const std::vector<std::string>& devices);

}  // namespace tilestep::model
