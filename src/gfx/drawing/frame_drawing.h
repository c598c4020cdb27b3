// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gfx/drawing/drawing.h"
#include "gfx/renderer.h"

struct ImDrawData;

/// Dear ImGui's draw lists are the canvas on which every panel draws. They hold triangles; here
/// these become shapes and texts again, so that no panel needs to know that its picture is read.
namespace tilestep::gfx {

/// The shapes of a finished frame, with the scenes under all other shapes. Call it after
/// ImGui::Render(), while the frame's context is current. Text is read from readable glyphs
/// (compat::makeReadable). The frame must be made without antialiased lines and fills
/// (ImGuiStyle::AntiAliasedLines and the like), since smooth edges are triangles of their own.
[[nodiscard]] Drawing drawingOf(const ImDrawData& frame, const std::vector<SceneCall>& scenes);

}  // namespace tilestep::gfx
