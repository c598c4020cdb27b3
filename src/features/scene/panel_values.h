// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <memory>
#include <vector>

#include "features/names.h"
#include "gfx/scene.h"
#include "model/scene/traced_kernel.h"

/// The values of a scene's matrices: inputs from the seed, outputs as of a step.
namespace tilestep::features {

/// The known values of a matrix: all of them, or a part and the source of the rest.
struct SceneValues {
  std::shared_ptr<const gfx::Picture> picture;
  gfx::Detail detail;
  std::shared_ptr<const gfx::ValueSource> source;
};

/// Indexed by operand; empty for outputs. The visible part of a large input is computed on demand;
/// if `known` has a source for the same values, that source and its levels of detail are reused.
[[nodiscard]] std::vector<SceneValues> valuesOfInputs(
    const model::TracedKernel& side, std::initializer_list<const std::vector<SceneValues>*> known);

/// Indexed by operand; empty for inputs. Elements that neither the step has written nor, in the
/// same launch, a `finished` block are NaN. Those of an operand that is both read and written keep
/// their previous values, or are NaN if an atomic operation changed them.
[[nodiscard]] std::vector<SceneValues> valuesOfOutputs(
    const model::TracedStep& step, const std::vector<trace::OutputElement>& finished);

/// The outputs of the blocks that were stepped to their ends in this launch, when `next` will be
/// shown after `before`; empty if the two are blocks of different launches.
[[nodiscard]] std::vector<trace::OutputElement> finishedBefore(
    const model::TracedKernel& next, const model::TracedStep& before,
    std::vector<trace::OutputElement> finished);

/// The type of a shared array's slots of `width` bytes: that of the operand that the array holds;
/// if unknown, float.
[[nodiscard]] ElementType typeOfSlots(const model::TracedKernel& side, const std::string& array,
                                      uint32_t width);

[[nodiscard]] gfx::CellRect rectOf(const model::Area& area);

/// The area of one operand; null if there is none.
[[nodiscard]] const model::Area* areaOf(const std::vector<model::Area>& areas, size_t operand);

}  // namespace tilestep::features
