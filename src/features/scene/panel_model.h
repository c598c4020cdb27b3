// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "features/barriers/view.h"
#include "features/names.h"
#include "features/scene/panel_values.h"
#include "features/scene/sum_places.h"
#include "features/threads/view.h"
#include "gfx/scene.h"
#include "model/scene/traced_kernel.h"

namespace tilestep::features {

/// How a step is shown.
struct SceneLook {
  bool motion = false;  ///< Elements may be moving.
  gfx::Place hovered;   ///< Links that touch this element are drawn in full.
  bool stale = false;   ///< The scene shows an earlier choice; the caption states this.
  bool busy = false;    ///< A newer scene is being made.
  const ThreadView* thread = nullptr;  ///< The followed thread.
  const RaceView* race = nullptr;      ///< Races and wrong results.
  /// How it is stepped together with the other kernel, if that should be shown.
  std::string aside;
  bool spotlight = false;  ///< All links are faint except those of the hovered element.
  bool covered = false;    ///< Counts are written as "?", and errors are hidden.
};

/// The thread to which an element belongs: the owner of a sum, the last writer of a slot, or the
/// thread that computes an output element. Absent if there is no such thread.
[[nodiscard]] std::optional<Dim3> threadAt(const model::TracedStep& step,
                                           const gfx::SceneModel& model, const gfx::Place& place);

/// Builds scenes from steps. Keeps pictures, so that they are uploaded to the GPU only once.
class SceneBuilder {
 public:
  /// `comparison` is the step of the other scene, or null. A kernel without shared arrays leaves
  /// space for the arrays of `comparison`. `slot` is the index of the scene, 0 or 1.
  std::shared_ptr<const gfx::SceneModel> build(unsigned slot,
                                               const std::shared_ptr<const model::TracedStep>& step,
                                               const model::TracedStep* comparison,
                                               const SceneLook& look);

 private:
  struct Kept {
    std::shared_ptr<const model::TracedKernel> side;
    std::vector<SceneValues> inputs;  ///< By operand; empty for outputs.
    std::shared_ptr<const model::TracedStep> outputsOf;
    std::vector<SceneValues> outputs;            ///< By operand; empty for inputs.
    std::vector<trace::OutputElement> finished;  ///< See finishedBefore.
    SumPlaces sums;
    bool sumsInMemory = false;  ///< See model::sumsInMemory.
  };
  std::array<Kept, 2> kept_;
};

}  // namespace tilestep::features
