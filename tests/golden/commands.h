// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tilestep::golden {

/// The output of a golden case's command for a PTX text, or the error as a user reads it.
std::string run(std::string_view command, std::string_view ptxText, std::string_view name);

}  // namespace tilestep::golden
