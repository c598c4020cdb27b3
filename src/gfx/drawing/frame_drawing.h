// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gfx/drawing/drawing.h"
#include "gfx/renderer.h"

struct ImDrawData;

/// Dear ImGui's draw lists are the canvas on which every panel draws. They hold triangles; here
/// they become shapes again, with real text, so that no panel has to know who reads its picture.
namespace tilestep::gfx {

/// Whether texts can be told from a frame: Dear ImGui 1.92 and later makes glyphs as they are
/// drawn, and this does not know them.
[[nodiscard]] bool canDescribeFrames();

/// The shapes of a finished frame (ImGui::Render() has run, and its fonts are still there), with
/// the scenes under all else. For sharp edges the frame is made with lines and fills that are not
/// smoothed (ImGuiStyle::AntiAliasedLines and the like): smooth edges are triangles of their own.
[[nodiscard]] Drawing drawingOf(const ImDrawData& frame, const std::vector<SceneCall>& scenes);

}  // namespace tilestep::gfx
