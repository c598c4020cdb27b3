// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "ui/kit/context.h"

namespace tilestep::ui {

/// A slider for one tunable, or a button a value where they have names. Of the main kernel's
/// (`main`) what is not legal with the other choices is hatched, says why on hover, and is skipped
/// while dragging without Shift. `set` gets values while it is dragged; the gesture's end is told
/// to the session.
void drawTunable(const Context& context, const compile::TunableSpec& tunable,
                 const compile::Bindings& values, bool main,
                 const std::function<void(int64_t)>& set);

}  // namespace tilestep::ui
