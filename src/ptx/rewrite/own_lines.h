// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ptx/ir.h"

namespace tilestep::ptx {

/// Removes the source line from every instruction whose line in the kernel's file exceeds `lines`,
/// the file's line count: `#line` and inline assembly can name any.
void dropLinesAbove(Module& module, uint32_t lines);

}  // namespace tilestep::ptx
