// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "ptx/ir.h"

namespace tilestep::ptx {

/// Parses a whole PTX module. Errors carry `name`:line:column and the line of text. Accepts the
/// output of NVRTC 13 and of clang 14 to 19, and hand-written PTX; an unknown root opcode is an
/// error that names it. Accepts any input: never throws, never reads past `text`, recursion is
/// bounded.
Result<Module> parse(std::string_view text, std::string_view name = "ptx");

}  // namespace tilestep::ptx
