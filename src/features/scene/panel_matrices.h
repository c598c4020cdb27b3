// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "features/scene/panel_values.h"
#include "gfx/scene.h"
#include "model/scene/traced_kernel.h"

/// The matrices of a scene: what of them a step touches, and how launch and phases cut them.
namespace tilestep::ui {

/// `operand`: a buffer with rows, of the step's plan.
[[nodiscard]] gfx::MatrixPanel matrixPanel(const model::TracedStep& step, size_t operand,
                                           const SceneValues& values);

/// The kernel reads it.
[[nodiscard]] bool isInput(const model::TracedKernel& side, size_t operand);
/// "block (2, 1)"
[[nodiscard]] std::string blockNote(const model::TracedKernel& side);
/// The largest size among the block's outputs; 1 where there is none.
[[nodiscard]] float largestOutput(const model::TracedKernel& side);

}  // namespace tilestep::ui
