// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gfx/drawing/drawing.h"
#include "gfx/renderer.h"

struct ImDrawData;

/// All panels draw into Dear ImGui's draw lists, which contain triangles. This code converts them
/// back to shapes and texts, so panels need not know about it.
namespace tilestep::gfx {

/// The shapes of a finished frame; those of the scenes are below all others. Call after
/// ImGui::Render(), while the frame's context is current. Text is read from readable glyphs
/// (compat::makeReadable). The frame must be made without antialiased lines and fills
/// (ImGuiStyle::AntiAliasedLines and similar), because antialiased edges consist of separate
/// triangles.
[[nodiscard]] Drawing drawingOf(const ImDrawData& frame, const std::vector<SceneCall>& scenes);

}  // namespace tilestep::gfx
