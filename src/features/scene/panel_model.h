// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "features/barriers/view.h"
#include "features/scene/panel_values.h"
#include "features/scene/sum_places.h"
#include "features/threads/view.h"
#include "gfx/scene.h"
#include "model/scene/traced_kernel.h"

namespace tilestep::ui {

/// How a step is to be shown.
struct SceneLook {
  bool motion = false;  ///< Elements may be on their way.
  gfx::Place hovered;   ///< Links that touch it are drawn in full.
  bool stale = false;   ///< The scene is of an earlier choice; said in the caption.
  bool busy = false;    ///< A newer one is on its way.
  const model::ThreadView* thread = nullptr;  ///< The one that is followed.
  const model::RaceView* race = nullptr;      ///< What races, and what came out wrong.
  std::string aside;  ///< How it is stepped with the other, where that is to be known; else empty.
};

/// The thread that a place speaks of: whose sum it is, who wrote the slot last, who makes the
/// element of the output; nothing where nobody does.
[[nodiscard]] std::optional<Dim3> threadAt(const model::TracedStep& step,
                                           const gfx::SceneModel& model, const gfx::Place& place);

/// Fills scenes from steps, and keeps the pictures of matrices between frames, so that they go to
/// the GPU once.
class SceneBuilder {
 public:
  /// `beside`: the other scene's step, whose shared arrays a kernel without any leaves room for;
  /// may be null. `slot`: which of the two scenes.
  std::shared_ptr<const gfx::SceneModel> build(unsigned slot,
                                               const std::shared_ptr<const model::TracedStep>& step,
                                               const model::TracedStep* beside,
                                               const SceneLook& look);

 private:
  struct Kept {
    std::shared_ptr<const model::TracedKernel> side;
    std::vector<SceneValues> inputs;  ///< By operand; empty for outputs.
    std::shared_ptr<const model::TracedStep> outputsOf;
    std::vector<SceneValues> outputs;  ///< By operand; empty for inputs.
    model::SumPlaces sums;
  };
  std::array<Kept, 2> kept_;
};

}  // namespace tilestep::ui
