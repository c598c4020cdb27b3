// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "ptx/ir.h"

namespace tilestep::ptx {

/// Parses a whole PTX module. Errors carry `name`:line:column and the line of text. Accepts what
/// NVRTC 13 and clang 14 to 19 write, and what people write by hand; an unknown root opcode is an
/// error that names it. Total: never throws, never reads past `text`, recursion is bounded.
Result<Module> parse(std::string_view text, std::string_view name = "ptx");

}  // namespace tilestep::ptx
