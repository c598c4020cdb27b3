// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ptx/ir.h"

namespace tilestep::ptx {

/// ".reg .f32 %f<63>;" and similar declarations of all registers of a function that are not
/// parameters. Names such as %f7 of one type are declared together; a range may declare more names
/// than are used.
[[nodiscard]] std::vector<std::string> registerDeclarations(const Function& function);

}  // namespace tilestep::ptx
