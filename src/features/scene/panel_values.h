// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <memory>
#include <vector>

#include "gfx/scene.h"
#include "model/scene/traced_kernel.h"

/// The values of a scene's matrices: inputs from the seed, outputs as a step has them.
namespace tilestep::ui {

/// What is known of a matrix: all of it, or a part and where the rest comes from.
struct SceneValues {
  std::shared_ptr<const gfx::Picture> picture;
  gfx::Detail detail;
  std::shared_ptr<const gfx::ValueSource> source;
};

/// By operand; nothing for outputs. A large input is made where it is looked at, by the source that
/// one of `known` has for the same values: its levels of detail are there already.
[[nodiscard]] std::vector<SceneValues> valuesOfInputs(
    const model::TracedKernel& side, std::initializer_list<const std::vector<SceneValues>*> known);

/// By operand; nothing for inputs. What the step has not written is no number.
[[nodiscard]] std::vector<SceneValues> valuesOfOutputs(const model::TracedStep& step);

[[nodiscard]] gfx::CellRect rectOf(const model::Area& area);

/// Of one operand; null where there is none.
[[nodiscard]] const model::Area* areaOf(const std::vector<model::Area>& areas, size_t operand);

}  // namespace tilestep::ui
