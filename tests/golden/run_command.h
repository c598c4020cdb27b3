// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace tilestep::golden {

/// The interpreter's answer to a case of the command `run`: its outputs, then its trace where
/// one is asked for, then each fault and hazard; or the error as a person reads it. The header says
/// how it is launched, in lines after the command's:
///
///   //! launch: ENTRY GRIDxGRIDxGRID BLOCKxBLOCKxBLOCK [DYNAMIC SHARED BYTES]
///   //! operand: NAME TYPE ELEMENTS in|out|inout [zero|ones|index]
///   //! operand: NAME TYPE = VALUE
///   //! trace: X Y
///   //! seconds: TIMEOUT
///   //! check: yes                  and look for hazards
///
/// A .cu has front matter instead of launch and operands, and runs at its default sizes.
std::string runCase(std::string_view input, const std::string& name);

/// Empty, or the compiler of this machine where it is another than NVRTC 13, which a .cu is kept
/// for: lines of PTX and words of errors are the compiler's.
Result<std::string> otherCompiler(const std::string& name);

}  // namespace tilestep::golden
