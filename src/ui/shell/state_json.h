// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "features/lessons/view.h"
#include "features/live/live.h"
#include "features/roofline/roofline_view.h"
#include "features/sweeps/view.h"
#include "features/threads/view.h"
#include "features/timeline/timeline_view.h"
#include "features/warps/view.h"
#include "model/snapshot.h"
#include "ui/kit/context.h"

/// Parts of the window's state as JSON; ui/shell/state_file.h says what their fields mean.
namespace tilestep::ui {

template <class T>
[[nodiscard]] nlohmann::json orNull(const std::optional<T>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

[[nodiscard]] nlohmann::json countersJson(const trace::Counters& counters);

// What is stepped through, in state_scene.cpp.
[[nodiscard]] nlohmann::json stepJson(const model::Snapshot& snapshot);
[[nodiscard]] nlohmann::json sceneJson(const std::shared_ptr<const model::TracedStep>& step,
                                       bool stale);
[[nodiscard]] nlohmann::json warpJson(const std::shared_ptr<const model::WarpView>& view);
[[nodiscard]] nlohmann::json barriersJson(const model::Snapshot& now);
[[nodiscard]] nlohmann::json raceJson(const model::Snapshot& now);
[[nodiscard]] nlohmann::json threadJson(const std::shared_ptr<const model::ThreadView>& view);
[[nodiscard]] nlohmann::json ptxJson(const model::Snapshot& now, const UiState& ui);
[[nodiscard]] nlohmann::json tableJson(const model::Snapshot& now, bool companion);
[[nodiscard]] nlohmann::json lessonJson(const std::optional<model::LessonView>& view);

// What is counted and measured, in state_measures.cpp.
[[nodiscard]] nlohmann::json figuresJson(const model::Snapshot& snapshot);
[[nodiscard]] nlohmann::json occupancyJson(const model::Snapshot& now);
[[nodiscard]] nlohmann::json elsewhereJson(const model::Snapshot& now);
[[nodiscard]] nlohmann::json rooflineJson(const model::RooflineView& view);
[[nodiscard]] nlohmann::json pinsJson(const model::Snapshot& snapshot);
[[nodiscard]] nlohmann::json gainsJson(const model::Snapshot& now);
[[nodiscard]] nlohmann::json liveJson(const model::LiveView& view);
[[nodiscard]] nlohmann::json sweepJson(const model::SweepView* view, const UiState& ui);
[[nodiscard]] nlohmann::json ladderJson(const model::LadderView* view);
[[nodiscard]] nlohmann::json sweepProgressJson(const model::SweepProgress& progress);

}  // namespace tilestep::ui
