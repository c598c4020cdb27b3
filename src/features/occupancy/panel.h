// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/kit/context.h"

/// Each fills the ImGui window that is open when it is called.
namespace tilestep::ui {

/// How full a multiprocessor is, what stops the next block, and what a slider would change.
void drawOccupancy(const Context& context, float height);
/// The list of known devices: what if this kernel ran there. Nothing where none is known.
void drawElsewhere(const Context& context, float width);

}  // namespace tilestep::ui
