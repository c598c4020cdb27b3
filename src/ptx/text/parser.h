// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "ptx/ir.h"

namespace tilestep::ptx {

/// Parses a PTX module: output of NVRTC 13 or clang 14 to 19, or hand-written PTX. Errors contain
/// `name`, the line, the column and the source line. Safe for any input: never throws, never reads
/// past `text`, and its recursion is bounded.
Result<Module> parse(std::string_view text, std::string_view name = "ptx");

}  // namespace tilestep::ptx
