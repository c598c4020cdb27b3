// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "features/names.h"
#include "ui/kit/context.h"

/// These functions draw into the current ImGui window.
namespace tilestep::features {

/// How full a multiprocessor is, what stops the next block, and what a slider would change.
void drawOccupancy(const Context& context, float height);
/// The list of known devices, to ask what if this kernel ran there; nothing if none is known.
void drawWhatIf(const Context& context);

}  // namespace tilestep::features
