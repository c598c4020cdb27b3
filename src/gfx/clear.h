// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "gfx/camera.h"
#include "gfx/palette.h"

struct ImDrawCmd;
struct ImDrawList;

namespace tilestep::gfx {

/// Adds an opaque rectangle (ImGui coordinates) that is cleared instead of blended, which costs a
/// tenth with a software renderer. For large uniform areas. Window::endFrame carries it out.
void addClear(ImDrawList& list, const Box& box, Color color);
/// The rectangle's colour, if the command is such a rectangle.
[[nodiscard]] std::optional<Color> clearOf(const ImDrawCmd& command);

}  // namespace tilestep::gfx
