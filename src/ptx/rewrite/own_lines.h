// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ptx/ir.h"

namespace tilestep::ptx {

/// Removes the source line of every instruction whose line in the kernel's file exceeds `lines`,
/// the file's line count. Such lines come from `#line` and inline assembly.
void dropLinesAbove(Module& module, uint32_t lines);

}  // namespace tilestep::ptx
