// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "lab/experiment.h"
#include "model/choice/resolved.h"
#include "model/files/lab_file.h"

/// The kernels of a lab at the sizes at which it shows times. Pure.
namespace tilestep::model {

/// Those that have such sizes, in the lab's order; none for null. Valid as long as the lab.
[[nodiscard]] std::vector<const LabKernel*> timedKernels(const Lab* lab);

/// Such a kernel's launch on the device in use; of a recording only what it holds. What is asked of
/// it is left to the caller. Nothing where no device gives times, or where the kernel cannot be
/// read.
[[nodiscard]] std::optional<lab::Experiment> timedExperiment(const LabKernel& kernel,
                                                             const Resolved& resolved);

}  // namespace tilestep::model
