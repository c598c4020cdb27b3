// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gfx/scene.h"
#include "session/side.h"
#include "ui/scene_values.h"

/// The matrices of a scene: what of them a step touches, and how launch and phases cut them.
namespace tilestep::ui {

/// `operand`: a buffer with rows, of the step's plan.
[[nodiscard]] gfx::MatrixPanel matrixPanel(const session::SideStep& step, size_t operand,
                                           const SceneValues& values);

/// The kernel reads it.
[[nodiscard]] bool isInput(const session::Side& side, size_t operand);
/// "block (2, 1)"
[[nodiscard]] std::string blockNote(const session::Side& side);
/// The largest size among the block's outputs; 1 where there is none.
[[nodiscard]] float largestOutput(const session::Side& side);

}  // namespace tilestep::ui
