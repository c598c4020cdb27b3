// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ptx/ir.h"

namespace tilestep::ptx {

/// Declarations, such as ".reg .f32 %f<63>;", of all registers of the function that are not
/// parameters. Registers such as %f7 with the same prefix and type are declared as one range, which
/// may contain unused names.
[[nodiscard]] std::vector<std::string> registerDeclarations(const Function& function);

}  // namespace tilestep::ptx
