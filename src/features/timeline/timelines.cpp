// SPDX-License-Identifier: Apache-2.0
// Blocks on multiprocessors over time: from the worker's answer to what the stage shows.
#include <algorithm>
#include <chrono>
#include <future>
#include <utility>

#include "lab/recording/recording.h"
#include "metrics/timeline.h"
#include "model/planning.h"
#include "model/session.h"

namespace tilestep::model {
namespace {

/// Blocks whose view is made at once; of more, beside the frames.
constexpr size_t kFewBlocks = 4096;

constexpr const char* kNoClocks =
    "An interpreter has no clocks: it runs the same instructions, and cannot say when a GPU's "
    "multiprocessors would run them.";

/// What the epochs of a phase do, by position, where all phases of the scene agree; the first phase
/// begins after `before` epochs.
std::vector<trace::StepKind> kindsOf(const std::vector<TimelineEpoch>& epochs, uint32_t perPhase,
                                     uint32_t before) {
  std::vector<trace::StepKind> kinds;
  for (size_t e = before; e < epochs.size() && perPhase > 0; ++e) {
    if (!epochs[e].phase) break;
    const size_t position = (e - before) % perPhase;
    if (position == kinds.size() && e - before < perPhase) kinds.push_back(epochs[e].kind);
    if (position >= kinds.size() || kinds[position] != epochs[e].kind) return {};
  }
  return kinds.size() == perPhase ? kinds : std::vector<trace::StepKind>();
}

}  // namespace

void Session::acceptTimeline(const std::string& key, lab::RunResult result) {
  clearNotice("timeline");
  timed_ = {key, {}, std::move(timed_.view), {}, {}, {}, {}};
  timed_.note = result.timelineNote;
  if (result.nearest && result.nearest->known)
    timed_.nearest = RecordedPlace{result.nearest->sizes, result.nearest->tunables};
  if (!result.timeline) return;
  const trace::Timeline& timeline = *result.timeline;
  timed_.figures = TimelineFigures{metrics::achievedOccupancy(timeline),
                                   metrics::barrierWaitShare(timeline), timeline.price};
  timed_.split = splitOf(timeline);
  const auto& launches = result.plan.launches;
  if (launches.empty() || launches.front().grid.count() != timeline.blocks()) {
    timed_.note = "The timeline has another number of blocks than the launch.";
    return;
  }
  const bool many = timeline.blocks() > kFewBlocks;  // `timeline` goes with the result.
  auto make = [kept = std::make_shared<lab::RunResult>(std::move(result))] {
    return timelineViewOf(*kept);
  };
  if (many) {
    makingTimelines_.push_back({key, std::async(std::launch::async, std::move(make))});
    return;
  }
  timed_.view = make();
  timed_.viewKey = key;
}

void Session::takeTimelines() {
  std::erase_if(makingTimelines_, [&](MakingTimeline& making) {
    if (making.view.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
    std::shared_ptr<const TimelineView> view = making.view.get();
    if (making.key != timed_.key) return true;
    timed_.view = std::move(view);
    timed_.viewKey = making.key;
    return dirty_ = true;
  });
}

/// A GPU that could not say keeps its other figures.
void Session::timelineFailed(const std::string& key, const Error& error) {
  timed_ = {key, {}, std::move(timed_.view), {}, {}, {}};
  timed_.note = "There is no timeline: " + error.message;
}

/// A recording that can be opened instead, where nothing here has clocks.
void Session::offerRecording(TimelineStage& to) const {
  to.note = kNoClocks;
  for (const device::DeviceInfo& device : *devices_) {
    if (device.recordedOn.empty()) continue;
    to.recording = device.id;
    to.recordedName = device.name;
    return;
  }
}

void Session::publishTimeline(Snapshot& to) const {
  TimelineStage& stage = to.timeline;
  if (to.device.empty()) return;
  if (!to.measures) return offerRecording(stage);
  stage.view = timed_.view;
  const bool answered = !wanted_.timeline.empty() && timed_.key == wanted_.timeline;
  stage.stale = stage.view && (!answered || timed_.viewKey != timed_.key);
  const bool made = std::ranges::any_of(
      makingTimelines_, [&](const MakingTimeline& making) { return making.key == timed_.key; });
  const bool asked =
      requests_.waitsOrRuns(Slot::timeline) || requests_.waitsOrRuns(Slot::measureMain);
  stage.coming = answered ? made : asked;
  if (!answered && !asked && !stage.view)
    stage.note = "There is no timeline: this launch was not measured, and the notices say why.";
  if (answered && !stage.coming && timed_.viewKey != timed_.key) {
    stage.view = nullptr;  // An earlier one would be taken for this one's.
    stage.note = timed_.note;
    stage.nearest = timed_.nearest;
    stage.stale = false;
  }
  if (!stage.view || !mainSide_) return;
  const compile::Plan& scene = mainSide_->result->plan;
  stage.sameGrid = !scene.launches.empty() && mainSide_->result->kernel == stage.view->kernel &&
                   scene.launches.front().grid == stage.view->grid &&
                   scene.sizes == stage.view->sizes && scene.tunables == stage.view->tunables;
  const bool known =
      mainSide_->result->kernel == stage.view->kernel && timeline_ && !resolved_->changed;
  if (!known) return;
  const trace::Timeline& timed = stage.view->timeline;
  stage.kinds = kindsOf(*timeline_, timed.epochsPerPhase, timed.epochsBefore);
  for (size_t e = 0; e < timed.epochsBefore && e < timeline_->size() && !stage.kinds.empty(); ++e)
    stage.kindsBefore.push_back((*timeline_)[e].kind);
}

void Session::chooseTimelineBlock(const Dim3& block) {
  const std::shared_ptr<const TimelineView> view = snapshot_->timeline.view;
  // A view of an earlier choice would take its sizes to another kernel.
  if (!view || snapshot_->timeline.stale || !view->indexOf(block)) return;
  if (snapshot_->timeline.sameGrid) return chooseBlock(block);
  change("block", [&](Choice& choice) {
    choice.scene.values = view->sizes;
    choice.scene.linked = std::ranges::all_of(
        view->sizes, [&](const auto& size) { return size.second == view->sizes.begin()->second; });
    choice.block = block;
    choice.beside.block.reset();
  });
  endGesture();
}

}  // namespace tilestep::model
