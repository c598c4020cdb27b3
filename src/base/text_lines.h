// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tilestep {

/// Line `line` (from 1) of `text`, without its newline; empty if there is none.
[[nodiscard]] std::string lineOf(std::string_view text, int line);

}  // namespace tilestep
