// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ptx/ir.h"

namespace tilestep::ptx {

/// The function's source file, as the compiler names it; empty if unknown.
[[nodiscard]] std::string sourceFileOf(const Module& module, const Function& function);

}  // namespace tilestep::ptx
