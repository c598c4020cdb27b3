// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "ptx/ir.h"

namespace tilestep::ptx {

/// A module with one kernel `k`, which declares registers %p0 to %p15 and %r, %f, %fd and %rd from
/// 0 to 99 and contains `body`.
[[nodiscard]] std::string kernelText(std::string_view body);

/// Parses a module, in which .version, .target and .address_size may be missing. If that fails, the
/// test fails, and the result is empty.
[[nodiscard]] Module parsed(std::string_view text);

/// The only function of kernelText(body).
[[nodiscard]] Function kernel(std::string_view body);

/// The first instruction of kernel(statement).
[[nodiscard]] Instruction instruction(std::string_view statement);

/// The module without PTX line numbers, which change when it is printed and parsed again.
[[nodiscard]] Module withoutPtxLines(Module module);

}  // namespace tilestep::ptx
