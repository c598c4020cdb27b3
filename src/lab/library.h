// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "compile/compiler.h"
#include "lab/experiment.h"

/// Experiments with a library's matrix product (base/library_product.h), without source code.
namespace tilestep::lab {

[[nodiscard]] bool isLibraryExperiment(const Experiment& experiment);

/// Success if a library experiment can run on this device, else the reason. It needs a GPU or a
/// recording and the library's own front matter, and cannot be traced.
[[nodiscard]] Status checkLibrary(const Experiment& experiment, const device::DeviceInfo& info);

/// Replaces compilation: returns the library's name and version, and an empty module. If
/// `recorded`, nothing runs and the library need not be installed.
Result<std::shared_ptr<const compile::Compiled>> libraryAsCompiled(bool recorded);

/// Removes requests that a library cannot satisfy (counts, clocks). The result gives the reason.
[[nodiscard]] Experiment withoutInstructions(Experiment experiment);
inline constexpr const char* kLibraryHasNoClocks =
    "There is no timeline, because cuBLAS is machine code whose blocks read no clocks.";
inline constexpr const char* kLibraryIsNotLoadedAnew =
    "The launch was not timed in several ways, because a cuBLAS product is not a kernel that can "
    "be loaded again.";

}  // namespace tilestep::lab
