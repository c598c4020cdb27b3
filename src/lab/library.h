// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "compile/compiler.h"
#include "lab/experiment.h"

/// Experiments on a library's product (base/library_product.h), which has no code of its own.
namespace tilestep::lab {

[[nodiscard]] bool isLibraryExperiment(const Experiment& experiment);

/// Why such an experiment cannot run on this device, or success: it needs a GPU or a recording,
/// the library's own front matter, and has no steps.
[[nodiscard]] Status checkLibrary(const Experiment& experiment, const device::DeviceInfo& info);

/// Stands in for compiling: gives the library's name and version, and an empty module. If
/// `recorded`, nothing runs and the library need not be installed.
Result<std::shared_ptr<const compile::Compiled>> libraryAsCompiled(bool recorded);

/// Removes what a library cannot give (counts of instructions, clocks). The result says why.
[[nodiscard]] Experiment withoutInstructions(Experiment experiment);
inline constexpr const char* kLibraryHasNoClocks =
    "There is no timeline: cuBLAS is machine code of NVIDIA's, whose blocks read no clocks.";
inline constexpr const char* kLibraryIsNotLoadedAnew =
    "The launch was not timed in several ways: a product of cuBLAS is no kernel of its own that "
    "could be loaded anew.";

}  // namespace tilestep::lab
