// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <memory>
#include <vector>

#include "features/names.h"
#include "gfx/scene.h"
#include "model/scene/traced_kernel.h"

/// The values of a scene's matrices: inputs computed from the seed, outputs after a step.
namespace tilestep::features {

/// The known values of a matrix: all values, or a part and a source of the others.
struct SceneValues {
  std::shared_ptr<const gfx::Picture> picture;
  gfx::Detail detail;
  std::shared_ptr<const gfx::ValueSource> source;
};

/// By operand; empty for outputs. The visible part of a large input is computed on demand. If
/// `known` has a source for the same values, that source and its levels of detail are reused.
[[nodiscard]] std::vector<SceneValues> valuesOfInputs(
    const model::TracedKernel& side, std::initializer_list<const std::vector<SceneValues>*> known);

/// By operand; empty for inputs. Elements are NaN if neither the step nor a `finished` block of the
/// same launch has written them. Operands that are read and written keep their previous values, but
/// elements changed by an atomic operation are NaN.
[[nodiscard]] std::vector<SceneValues> valuesOfOutputs(
    const model::TracedStep& step, const std::vector<trace::OutputElement>& finished);

/// The outputs of the blocks that were stepped to their ends in this launch, for showing `next`
/// after `before`. Empty if `next` and `before` belong to different launches.
[[nodiscard]] std::vector<trace::OutputElement> finishedBefore(
    const model::TracedKernel& next, const model::TracedStep& before,
    std::vector<trace::OutputElement> finished);

/// The type of a shared array's slots of `width` bytes: its operand's type; float if unknown.
[[nodiscard]] ElementType typeOfSlots(const model::TracedKernel& side, const std::string& array,
                                      uint32_t width);

[[nodiscard]] gfx::CellRect rectOf(const model::Area& area);

/// The operand's area; null if there is none.
[[nodiscard]] const model::Area* areaOf(const std::vector<model::Area>& areas, size_t operand);

}  // namespace tilestep::features
