// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ptx/ir.h"

namespace tilestep::ptx {

/// Takes the line from every instruction whose line in the kernel's file is above `lines`, the
/// number of lines that the file has: `#line` and inline assembly can name any.
void dropLinesAbove(Module& module, uint32_t lines);

}  // namespace tilestep::ptx
