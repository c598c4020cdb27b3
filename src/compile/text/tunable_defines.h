// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "compile/kernel.h"

namespace tilestep::compile {

/// A tunable reaches the compiler as a macro with its name. A #define of that name in the source
/// would silently replace it, so that every value would run the same code. Returns an error of kind
/// request at the line of such a #define. One within #if, #ifdef or #ifndef may be a default and is
/// allowed.
[[nodiscard]] Status checkTunableDefines(const KernelSource& source, const KernelSpec& spec);

}  // namespace tilestep::compile
