// SPDX-License-Identifier: Apache-2.0
// Live mode in the session: what is asked for, what came, what is said of it.
#include <utility>

#include "compile/front_matter/front_matter.h"
#include "model/planning.h"
#include "model/session.h"
#include "model/text/step_summary.h"
#include "model/text/traffic.h"

namespace tilestep::model {

void Session::watchLive(bool watched) {
  if (std::exchange(live_.watched, watched) == watched) return;
  live_.stopped = now_;
  refresh();
  if (measured_.main && measured_.mainKey == wanted_.measureMain) addRecordedLive(*measured_.main);
  dirty_ = true;
}

void Session::pauseLive(bool paused) {
  live_.ended.clear();
  live_.paused = paused;
  live_.stopped = now_;
  refresh();
  dirty_ = true;
}

void Session::clearLive() {
  live_.recorder.clear();
  dirty_ = true;
}

LiveRun Session::liveRunOf(const lab::Experiment& experiment) const {
  LiveRun run;
  run.experiment = std::make_shared<const lab::Experiment>(experiment);
  run.key = keyOf(experiment);
  const std::string stem = compile::stemOf(experiment.source.path);
  run.kernel = run.label = shortNameOf(stem);
  for (const auto& [name, value] : experiment.tunables)
    run.label += " · " + name + " " + std::to_string(value);
  run.label += " · " + sizesText(experiment.sizes);
  if (const device::DeviceInfo* device = resolved_->device) run.device = device->name;
  return run;
}

/// Why there is no stream here, whatever the choice; empty where there can be one.
std::string Session::whyNotLive() const {
  const device::DeviceInfo* device = resolved_->device;
  if (device == nullptr)
    return workerFailed_ ? "No worker answers, so nothing can be run; see the notices."
                         : "Waiting for the worker.";
  if (!device->recordedOn.empty())
    return "This is a recording: it holds the median of many launches for each point, not a stream "
           "of launches. Move a slider: each recorded point is added where you looked at it.";
  if (!device->measures)
    return "The interpreter counts exactly, but it gives no times, so there is nothing to plot "
           "over "
           "time. Choose a GPU under Device, start with --worker for a GPU elsewhere, or look at a "
           "recording (--device recorded:nvidia-h200).";
  return {};
}

void Session::refreshLive(const lab::Experiment* main) {
  // Another choice may do what that one could not.
  if (main != nullptr && live_.recorder.current() != nullptr &&
      live_.recorder.current()->key != keyOf(*main))
    live_.ended.clear();
  const bool goesOn = live_.watched && !live_.paused && live_.ended.empty();
  if (!goesOn || main == nullptr || !whyNotLive().empty()) return requests_.drop(Slot::live);
  live_.recorder.begin(liveRunOf(*main));
  lab::Experiment experiment = *main;
  experiment.counters = experiment.measure = experiment.hardware = false;
  requests_.want(Slot::live, std::move(experiment), now_);
}

void Session::takeLive() {
  const Requests::Samples samples = requests_.takeSamples();
  if (samples.batches.empty()) return;
  if (samples.fresh) live_.recorder.newStream();
  for (const device::LiveBatch& batch : samples.batches) live_.recorder.add(batch, now_);
  dirty_ = true;
}

/// A dead worker, a lost GPU, a kernel that faults: it does not begin again by itself.
void Session::liveEnded(const Error& error) {
  live_.ended = error.message;
  live_.stopped = now_;
  dirty_ = true;
}

/// A recorded point, at the moment when it was looked at.
void Session::addRecordedLive(const lab::RunResult& result) {
  if (!live_.watched || result.device.recordedOn.empty() || !result.measurement) return;
  const compile::CatalogueEntry* entry = resolved_->entry;
  if (entry == nullptr || !entry->spec) return;
  LiveRun run = liveRunOf(resolved_->measureExperiment(*entry, resolved_->tunables));
  if (live_.recorder.current() != nullptr && live_.recorder.current()->key == run.key) return;
  addFacts(run, result);
  run.recorded = result.measurement;
  if (timed_.key == wanted_.timeline) run.split = timed_.split;
  live_.recorder.addRecorded(std::move(run), now_);
}

void Session::publishLive(Snapshot& to) {
  LiveRun* run = live_.recorder.current();
  const bool known = run != nullptr && run->key == measured_.mainKey && measured_.main;
  if (known) addFacts(*run, *measured_.main);
  if (known && timed_.key == wanted_.timeline && wanted_.measureMain == run->key)
    run->split = timed_.split;
  const bool runs = requests_.waitsOrRuns(Slot::live);
  auto view = std::make_shared<LiveView>(live_.recorder.view(runs ? now_ : live_.stopped));
  view->said = whyNotLive();
  view->ofNow = run != nullptr && run->key == wanted_.measureMain;
  const device::DeviceInfo* device = resolved_->device;
  // Samples of another device are none of this one's, which gives no times.
  if (device != nullptr && !device->measures) {
    view = std::make_shared<LiveView>();
    view->said = whyNotLive();
  }
  const bool recorded = device != nullptr && !device->recordedOn.empty();
  if (recorded && !view->ofNow && !view->runs.empty())
    view->said += " It has no time for the present choice.";
  if (!view->said.empty()) {
    view->state = LiveView::State::none;
  } else if (!live_.ended.empty()) {
    view->state = LiveView::State::paused;
    view->said = "Live mode ended: " + live_.ended;
  } else if (live_.paused) {
    view->state = LiveView::State::paused;
  } else if (runs) {
    view->state = view->recent.samples > 0 ? LiveView::State::running : LiveView::State::waiting;
  } else if (live_.watched) {
    view->said = "This choice cannot be launched; the notices say why.";
  }
  to.live = std::move(view);
}

}  // namespace tilestep::model
