// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ptx/ir.h"

namespace tilestep::ptx {

/// The file with the function's own text, as the compiler names it; empty: unknown. Pure.
[[nodiscard]] std::string sourceFileOf(const Module& module, const Function& function);

}  // namespace tilestep::ptx
