// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "session/snapshot.h"
#include "ui/context.h"

/// Parts of the window's state as JSON; ui/state_file.h says what their fields mean.
namespace tilestep::ui {

template <class T>
[[nodiscard]] nlohmann::json orNull(const std::optional<T>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

[[nodiscard]] nlohmann::json countersJson(const trace::Counters& counters);

// What is stepped through, in state_scene.cpp.
[[nodiscard]] nlohmann::json stepJson(const session::Snapshot& snapshot);
[[nodiscard]] nlohmann::json sceneJson(const std::shared_ptr<const session::SideStep>& step,
                                       bool stale);
[[nodiscard]] nlohmann::json warpJson(const std::shared_ptr<const session::WarpView>& view);
[[nodiscard]] nlohmann::json barriersJson(const session::Snapshot& now);
[[nodiscard]] nlohmann::json raceJson(const session::Snapshot& now);
[[nodiscard]] nlohmann::json threadJson(const std::shared_ptr<const session::ThreadView>& view);
[[nodiscard]] nlohmann::json ptxJson(const session::Snapshot& now, const UiState& ui);
[[nodiscard]] nlohmann::json tableJson(const session::Snapshot& now, bool companion);
[[nodiscard]] nlohmann::json lessonJson(const std::optional<session::LessonView>& view);

// What is counted and measured, in state_measures.cpp.
[[nodiscard]] nlohmann::json figuresJson(const session::Snapshot& snapshot);
[[nodiscard]] nlohmann::json occupancyJson(const std::optional<session::OccupancyView>& view);
[[nodiscard]] nlohmann::json elsewhereJson(const std::optional<lab::WhatIf>& there);
[[nodiscard]] nlohmann::json rooflineJson(const session::RooflineView& view);
[[nodiscard]] nlohmann::json pinsJson(const session::Snapshot& snapshot);
[[nodiscard]] nlohmann::json gainsJson(const session::Snapshot& now);
[[nodiscard]] nlohmann::json liveJson(const session::LiveView& view);
[[nodiscard]] nlohmann::json sweepJson(const session::SweepView* view, const UiState& ui);
[[nodiscard]] nlohmann::json ladderJson(const session::LadderView* view);
[[nodiscard]] nlohmann::json sweepProgressJson(const session::SweepProgress& progress);

}  // namespace tilestep::ui
