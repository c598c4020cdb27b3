// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "features/lessons/lesson_ask.h"
#include "ui/kit/context.h"

/// What an open question covers, so that nothing on screen gives its answer away.
namespace tilestep::ui {

inline constexpr const char* kCoveredText = "Covered until you answer";

[[nodiscard]] bool isCovered(const Context& context, model::Covered area);

/// A quiet block with a text in its middle.
void drawCover(const Context& context, ImVec2 min, ImVec2 max, const std::string& text);

/// Runs `draw`, which fills the rest of the present ImGui window. Where the area is covered, what
/// it draws keeps its place and size, but is neither seen nor pointed at, and a quiet block with a
/// short text lies there instead.
void coverable(const Context& context, model::Covered area, const std::function<void()>& draw);
/// The same for a part of the window: the block is as high as what `draw` draws.
void coverablePart(const Context& context, model::Covered area, const std::function<void()>& draw);

}  // namespace tilestep::ui
