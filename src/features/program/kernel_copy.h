// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "compile/kernel.h"
#include "features/names.h"

namespace tilestep::features {

/// The kernel as a program for the user: its source with tunables as macros, and a main function
/// that fills the inputs, launches the kernel at these sizes and prints a result. A matrix product
/// is compared with a host loop. An Error if such a program cannot be simple.
[[nodiscard]] Result<std::string> programOf(const compile::KernelSource& source,
                                            const compile::KernelSpec& spec,
                                            const compile::Plan& plan);

}  // namespace tilestep::features
