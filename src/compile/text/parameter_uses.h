// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compile/text/launched_kernel.h"

namespace tilestep::compile {

/// One parameter of a kernel's list, as written: "const float *M".
[[nodiscard]] KernelParameter parameterOf(const CudaTokens& tokens);

/// What the body does with the parameter: read, written, and the form of its first index.
void lookAtUses(KernelParameter& parameter, const CudaTokens& body);

}  // namespace tilestep::compile
