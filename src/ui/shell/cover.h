// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "model/notice.h"
#include "ui/kit/context.h"

/// Covers the parts of the window that would give away the answer to an open question.
namespace tilestep::ui {

inline constexpr const char* kCoveredText = "Covered until you answer";

[[nodiscard]] bool isCovered(const Context& context, model::Covered area);

/// Whether the notice is held back until the answer. This applies to warnings, because they may
/// give the answer away: "A read-after-write hazard …". Errors report problems, and other notices
/// confirm a user's action.
[[nodiscard]] bool isHeldBack(const Context& context, const model::Notice& notice);

void coverWindow(const Context& context, const std::string& text);
/// Draws a plain block with centred text.
void drawCover(const Context& context, ImVec2 min, ImVec2 max, const std::string& text);

/// Runs `draw`, which fills the rest of the current ImGui window. In a covered area its items keep
/// their position and size, but are neither visible nor hoverable, and a plain block with a short
/// text covers them.
void coverable(const Context& context, model::Covered area, const std::function<void()>& draw);
/// The same for a part of the window: the block has the height of what `draw` draws.
void coverablePart(const Context& context, model::Covered area, const std::function<void()>& draw);

}  // namespace tilestep::ui
