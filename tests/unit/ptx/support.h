// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "ptx/ir.h"

namespace tilestep::ptx {

/// A module of one kernel `k` with registers %p0-15, %r, %f, %fd, %rd0-99 and this body.
[[nodiscard]] std::string kernelText(std::string_view body);

/// The module of a text, which may leave out .version, .target and .address_size; a test failure
/// and an empty module when it does not parse.
[[nodiscard]] Module parsed(std::string_view text);

/// The only function of kernelText(body).
[[nodiscard]] Function kernel(std::string_view body);

/// The first instruction of kernel(statement).
[[nodiscard]] Instruction instruction(std::string_view statement);

/// The module without what a second trip through text changes: lines in the PTX.
[[nodiscard]] Module withoutPtxLines(Module module);

}  // namespace tilestep::ptx
