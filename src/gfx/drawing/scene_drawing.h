// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gfx/drawing/drawing.h"
#include "gfx/renderer.h"

namespace tilestep::gfx {

/// Appends a scene's shapes to the drawing: the output of the OpenGL renderer without labels, which
/// ImGui draws. Matrices with small cells become images.
void describeScene(const SceneCall& scene, Drawing& drawing);

}  // namespace tilestep::gfx
