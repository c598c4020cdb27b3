// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "compile/kernel.h"

namespace tilestep::compile {

/// Fails if the source contains a #define of a tunable, with a request error at its line. Tunables
/// are passed to the compiler as macros, and such a #define would silently replace the macro, so
/// that every value would run the same code. A #define within #if, #ifdef or #ifndef may be a
/// default and is allowed.
[[nodiscard]] Status checkTunableDefines(const KernelSource& source, const KernelSpec& spec);

}  // namespace tilestep::compile
