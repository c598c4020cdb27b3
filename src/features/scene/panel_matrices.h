// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "features/names.h"
#include "features/scene/panel_values.h"
#include "gfx/scene.h"
#include "model/scene/traced_kernel.h"

/// The matrices of a scene: accessed elements, and the division by launch and phases.
namespace tilestep::features {

/// `operand` is a buffer of the step's plan that has rows. Elements that are loaded several times
/// show their count. If `comparison` (the other kernel's step, or null) loads an element several
/// times, all loaded elements show their count.
[[nodiscard]] gfx::MatrixPanel matrixPanel(const model::TracedStep& step,
                                           const model::TracedStep* comparison, size_t operand,
                                           const SceneValues& values);

/// Whether the kernel reads the operand.
[[nodiscard]] bool isInput(const model::TracedKernel& side, size_t operand);
/// "block (2, 1)"
[[nodiscard]] std::string blockNote(const model::TracedKernel& side);
/// The largest magnitude among the block's outputs; 1 if there are no outputs.
[[nodiscard]] float largestOutput(const model::TracedKernel& side);

}  // namespace tilestep::features
