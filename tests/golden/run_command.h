// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace tilestep::golden {

/// The interpreter's answer to a case of the command `run`: its outputs, then its trace if
/// requested, then each fault and hazard. If the case fails, the error as a user reads it. Lines
/// after the command's line describe the launch:
///
///   //! launch: ENTRY GRIDxGRIDxGRID BLOCKxBLOCKxBLOCK [DYNAMIC SHARED BYTES]
///   //! operand: NAME TYPE ELEMENTS in|out|inout [zero|ones|index]
///   //! operand: NAME TYPE = VALUE
///   //! trace: X Y
///   //! seconds: TIMEOUT
///   //! check: yes                  and search for hazards
///
/// A .cu has front matter instead of launch and operands, and runs at its default sizes.
std::string runCase(std::string_view input, const std::string& name);

/// Empty, or this machine's compiler if it is not NVRTC 13. The expected output of a .cu is for
/// NVRTC 13, because lines of PTX and error messages depend on the compiler.
Result<std::string> otherCompiler(const std::string& name);

}  // namespace tilestep::golden
