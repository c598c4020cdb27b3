// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "features/lessons/lesson_ask.h"
#include "ui/kit/context.h"

/// What a lesson's open question covers, so that nothing on screen gives its answer away.
namespace tilestep::ui {

inline constexpr const char* kCoveredText = "Covered until you answer";

[[nodiscard]] bool isCovered(const Context& context, model::Covered area);

/// Runs `draw`, which fills the rest of the present ImGui window. Where the area is covered, what
/// it draws keeps its place and size, but is neither seen nor pointed at, and a quiet block with a
/// short text lies there instead.
void coverable(const Context& context, model::Covered area, const std::function<void()>& draw);
/// The same for a part of the window: the block is as high as what `draw` draws.
void coverablePart(const Context& context, model::Covered area, const std::function<void()>& draw);

}  // namespace tilestep::ui
