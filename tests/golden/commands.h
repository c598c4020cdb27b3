// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tilestep::golden {

/// What a golden case's command says of a PTX text: its output, or the error as a person reads it.
std::string run(std::string_view command, std::string_view ptxText, std::string_view name);

}  // namespace tilestep::golden
