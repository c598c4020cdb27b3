// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "gfx/camera.h"
#include "gfx/palette.h"

struct ImDrawCmd;
struct ImDrawList;

namespace tilestep::gfx {

/// Adds an opaque rectangle to a list, cleared and not blended: on a CPU that costs a tenth. For
/// large even areas; ImGui coordinates. Carried out by Window::endFrame.
void addClear(ImDrawList& list, const Box& box, Color color);
/// Its colour, where a command is such a rectangle.
[[nodiscard]] std::optional<Color> clearOf(const ImDrawCmd& command);

}  // namespace tilestep::gfx
