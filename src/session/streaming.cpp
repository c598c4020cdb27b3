// SPDX-License-Identifier: Apache-2.0
// Live mode in the session: what is asked for, what came, what is said of it.
#include <filesystem>
#include <utility>

#include "session/planning.h"
#include "session/sentence.h"
#include "session/session.h"
#include "session/traffic.h"

namespace tilestep::session {

void Session::watchLive(bool watched) {
  if (std::exchange(liveWatched_, watched) == watched) return;
  liveStopped_ = now_;
  refresh();
  if (measured_.main && measured_.mainKey == wanted_.measureMain) addRecordedLive(*measured_.main);
  dirty_ = true;
}

void Session::pauseLive(bool paused) {
  liveEnded_.clear();
  livePaused_ = paused;
  liveStopped_ = now_;
  refresh();
  dirty_ = true;
}

void Session::clearLive() {
  live_.clear();
  dirty_ = true;
}

LiveRun Session::liveRunOf(const lab::Experiment& experiment) const {
  LiveRun run;
  run.experiment = std::make_shared<const lab::Experiment>(experiment);
  run.key = keyOf(experiment);
  const std::string stem = std::filesystem::path(experiment.source.path).stem().string();
  run.kernel = run.label = shortNameOf(stem);
  for (const auto& [name, value] : experiment.tunables)
    run.label += " · " + name + " " + std::to_string(value);
  run.label += " · " + sizesText(experiment.sizes);
  if (const device::DeviceInfo* device = deviceInUse()) run.device = device->name;
  return run;
}

/// Why there is no stream here, whatever the choice; empty where there can be one.
std::string Session::whyNotLive() const {
  const device::DeviceInfo* device = deviceInUse();
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
  if (main != nullptr && live_.current() != nullptr && live_.current()->key != keyOf(*main))
    liveEnded_.clear();
  const bool goesOn = liveWatched_ && !livePaused_ && liveEnded_.empty();
  if (!goesOn || main == nullptr || !whyNotLive().empty()) return requests_.drop(Slot::live);
  live_.begin(liveRunOf(*main));
  lab::Experiment experiment = *main;
  experiment.counters = experiment.measure = experiment.hardware = false;
  requests_.want(Slot::live, std::move(experiment), now_);
}

void Session::takeLive() {
  const Requests::Samples samples = requests_.takeSamples();
  if (samples.batches.empty()) return;
  if (samples.fresh) live_.newStream();
  for (const device::LiveBatch& batch : samples.batches) live_.add(batch, now_);
  dirty_ = true;
}

/// A dead worker, a lost GPU, a kernel that faults: it does not begin again by itself.
void Session::liveEnded(const Error& error) {
  liveEnded_ = error.message;
  liveStopped_ = now_;
  dirty_ = true;
}

/// A recorded point, at the moment when it was looked at.
void Session::addRecordedLive(const lab::Result& result) {
  if (!liveWatched_ || result.device.recordedOn.empty() || !result.measurement) return;
  const compile::CatalogueEntry* entry = findEntry(choice_.kernel);
  if (entry == nullptr || !entry->spec) return;
  LiveRun run = liveRunOf(measureExperiment(*entry, tunablesOf(choice_, *entry->spec)));
  if (live_.current() != nullptr && live_.current()->key == run.key) return;
  addFacts(run, result);
  run.recorded = result.measurement;
  if (timed_.key == wanted_.timeline) run.split = timed_.split;
  live_.addRecorded(std::move(run), now_);
}

void Session::publishLive(Snapshot& to) {
  LiveRun* run = live_.current();
  const bool known = run != nullptr && run->key == measured_.mainKey && measured_.main;
  if (known) addFacts(*run, *measured_.main);
  if (known && timed_.key == wanted_.timeline && wanted_.measureMain == run->key)
    run->split = timed_.split;
  const bool runs = requests_.waitsOrRuns(Slot::live);
  auto view = std::make_shared<LiveView>(live_.view(runs ? now_ : liveStopped_));
  view->said = whyNotLive();
  if (!view->said.empty()) {
    view->state = LiveView::State::none;
  } else if (!liveEnded_.empty()) {
    view->state = LiveView::State::paused;
    view->said = "Live mode ended: " + liveEnded_;
  } else if (livePaused_) {
    view->state = LiveView::State::paused;
  } else if (runs) {
    view->state = view->recent.samples > 0 ? LiveView::State::running : LiveView::State::waiting;
  } else if (liveWatched_) {
    view->said = "This choice cannot be launched; the notices say why.";
  }
  to.live = std::move(view);
}

}  // namespace tilestep::session
