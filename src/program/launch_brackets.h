// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tilestep::program {

/// The text with "add<< <grid, block>> >(x)" written as "add<<<grid, block>>> (x)", as nvcc reads
/// it and clang does not: some editors part the brackets. Everything keeps its line and its column.
[[nodiscard]] std::string withJoinedBrackets(std::string text);

}  // namespace tilestep::program
