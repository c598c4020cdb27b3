// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "ui/context.h"

namespace tilestep::ui {

/// A slider for one tunable, or a button a value where they have names. `set` gets legal steps
/// while it is dragged; the gesture's end is told to the session.
void drawTunable(const Context& context, const compile::TunableSpec& tunable,
                 const compile::Bindings& values, const std::function<void(int64_t)>& set);

}  // namespace tilestep::ui
