// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "features/lessons/lesson_ask.h"
#include "model/notice.h"
#include "ui/kit/context.h"

/// What an open question covers, so that nothing on screen gives its answer away.
namespace tilestep::ui {

inline constexpr const char* kCoveredText = "Covered until you answer";

[[nodiscard]] bool isCovered(const Context& context, model::Covered area);

/// Whether the open lesson's question waits for its answer, or a lab for its prediction.
[[nodiscard]] bool isAsked(const Context& context);

/// Whether the notice waits until then. A warning may give the answer away: "A read-after-write
/// hazard …". An error is about what does not work, and what only informs answers a person's deed.
[[nodiscard]] bool isHeldBack(const Context& context, const model::Notice& notice);

/// Covers the present ImGui window.
void coverWindow(const Context& context, const std::string& text);
/// A quiet block with a text in its middle.
void drawCover(const Context& context, ImVec2 min, ImVec2 max, const std::string& text);

/// Runs `draw`, which fills the rest of the present ImGui window. Where the area is covered, what
/// it draws keeps its place and size, but is neither seen nor pointed at, and a quiet block with a
/// short text lies there instead.
void coverable(const Context& context, model::Covered area, const std::function<void()>& draw);
/// The same for a part of the window: the block is as high as what `draw` draws.
void coverablePart(const Context& context, model::Covered area, const std::function<void()>& draw);

}  // namespace tilestep::ui
