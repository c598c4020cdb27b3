// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tilestep::program {

/// Writes "add<< <grid, block>> >(x)" as "add<<<grid, block>>> (x)". Some editors separate the
/// brackets, which nvcc accepts and clang does not. Lines and columns do not change.
[[nodiscard]] std::string withJoinedBrackets(std::string text);

}  // namespace tilestep::program
