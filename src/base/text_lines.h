// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tilestep {

/// Line `line` (from 1) of `text`, without its newline; empty if there is no such line.
[[nodiscard]] std::string lineOf(std::string_view text, int line);

}  // namespace tilestep
