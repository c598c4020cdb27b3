// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "compile/kernel.h"
#include "features/names.h"

namespace tilestep::features {

/// The kernel as a program of one's own: its text, the tunables as macros, and a main function that
/// fills the inputs, launches it at these sizes and prints a result; a product of matrices is
/// compared with a loop on the host. An Error where the kernel takes what such a program cannot
/// show plainly.
[[nodiscard]] Result<std::string> programOf(const compile::KernelSource& source,
                                            const compile::KernelSpec& spec,
                                            const compile::Plan& plan);

}  // namespace tilestep::features
