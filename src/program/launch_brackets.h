// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tilestep::program {

/// The text with "add<< <grid, block>> >(x)" written as "add<<<grid, block>>> (x)", as nvcc reads
/// it and clang does not: some editors separate the brackets. Lines and columns do not change.
[[nodiscard]] std::string withJoinedBrackets(std::string text);

}  // namespace tilestep::program
