// SPDX-License-Identifier: Apache-2.0
#include "features/live/live.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/factor.h"
#include "base/figure.h"
#include "base/percent.h"
#include "metrics/timeline.h"
#include "model/roofline_marks.h"
#include "model/text/step_summary.h"

namespace tilestep::features {
namespace {

constexpr double kRecentSeconds = 1;
/// Below this fraction of the highest clock, the GPU counts as throttled, as in measurements.
constexpr double kClockShare = 0.97;
/// The allowed p10 to p90 range of a second's launches, relative to their median.
constexpr double kSpread = 0.15;
/// The allowed ratio of the launch time to the measured time.
constexpr double kSlower = 1.25;
/// In launches shorter than this, the events take a considerable and varying part of the time.
constexpr double kShortMs = 0.05;

double quantile(const std::vector<float>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<size_t>(at);
  const size_t high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] +
         (at - static_cast<double>(low)) * (static_cast<double>(sorted[high]) - sorted[low]);
}

void addChanges(std::string& text, const compile::Bindings& before, const compile::Bindings& now) {
  for (const auto& [name, value] : now) {
    const auto at = before.find(name);
    if (at != before.end() && at->second == value) continue;
    if (!text.empty()) text += ", ";
    text += name + " ";
    if (at != before.end()) text += std::to_string(at->second) + " → ";
    text += std::to_string(value);
  }
}

}  // namespace

void addFacts(LiveRun& run, const lab::RunResult& result) {
  if (result.plan.operations > 0) run.operations = result.plan.operations;
  if (result.counters && loadsAreCounted(result)) {
    const trace::Counters& total = result.counters->total;
    run.askedBytes = static_cast<double>(total.globalLoad.bytes + total.globalStore.bytes);
    run.sectorBytes =
        32 * static_cast<double>(total.globalLoad.sectors + total.globalStore.sectors);
  }
  if (result.measurement) run.measuredMs = result.measurement->medianMs;
  metrics::RooflineWork work = rooflineWorkOf(result, false);
  // A stream's launches run with warm caches.
  if (result.device.recordedOn.empty()) work.coldSeconds.reset();
  const std::optional<DramRate> dram = dramRateOf(work);
  if (!dram || !work.dramBytes) return;
  run.dramBytes = dram->bytes;
  run.dramName = dram->name;
  run.dramFrom = dram->from;
  if (dram->seconds != work.seconds) run.dramMs = dram->seconds * 1e3;
}

std::string changeOf(const LiveRun& of, const LiveRun& to) {
  std::string text;
  if (of.kernel != to.kernel) return of.kernel + " → " + to.kernel;
  const lab::Experiment &before = *of.experiment, &now = *to.experiment;
  if (before.device != now.device) text = before.device + " → " + now.device;
  addChanges(text, before.tunables, now.tunables);
  compile::Bindings old = before.sizes, sizes = now.sizes;
  const auto linked = [](const compile::Bindings& values) {
    return values.size() > 1 && std::ranges::all_of(values, [&](const auto& value) {
             return value.second == values.begin()->second;
           });
  };
  if (linked(old) && linked(sizes)) {  // All sizes are equal, so one number describes them.
    old = {{"size", old.begin()->second}};
    sizes = {{"size", sizes.begin()->second}};
  }
  addChanges(text, old, sizes);
  if (text.empty() && before.source.text != now.source.text) text = to.kernel + ", changed";
  return text;
}

std::string warningOf(const LiveRecent& recent, const LiveRun& run, double bestMhz) {
  if (recent.clockMhz && *recent.clockMhz < kClockShare * bestMhz)
    return "The GPU's clock has dropped to " + std::to_string(std::lround(*recent.clockMhz)) +
           " of " + std::to_string(std::lround(bestMhz)) +
           " MHz, lowered because of heat or its power limit, so launches take longer.";
  constexpr size_t kLeast = 10;
  if (recent.samples < kLeast || recent.medianMs < kShortMs) return {};
  const double spread = (recent.p90Ms - recent.p10Ms) / recent.medianMs;
  if (run.measuredMs && recent.medianMs > kSlower * *run.measuredMs)
    return "Launches are " + factorText(recent.medianMs, *run.measuredMs, kTimeWords) +
           " than measured though the clock is steady: another program may use this GPU.";
  if (spread > kSpread)
    return "Launches within one second differ by " + wholePercent(spread) +
           " though the clock is steady: another program may use this GPU.";
  return {};
}

void LiveRecorder::begin(LiveRun run) {
  newStream();
  if (!runs_.empty() && runs_.back().key == run.key) return;
  // Drops a run without samples, so that the next run states all changes since the last samples.
  const bool unused = !runs_.empty() && !runs_.back().recorded && runs_.back().seconds < 0;
  if (unused) runs_.pop_back();
  run.seconds = -1;
  bestMhz_ = 0;
  clockMhz_.reset();
  passed_.clear();
  push(std::move(run));
}

void LiveRecorder::push(LiveRun run) {
  if (!runs_.empty()) run.change = changeOf(runs_.back(), run);
  runs_.push_back(std::move(run));
  if (runs_.size() <= kLiveRuns) return;
  runs_.erase(runs_.begin());
  ++firstRun_;
  forgetOldest();
}

/// Drops the oldest points, and points of runs that were dropped.
void LiveRecorder::forgetOldest() {
  while (!full_.empty() && full_.front()->back().run < firstRun_) {
    forgotten_ += full_.front()->size();
    full_.erase(full_.begin());
  }
}

void LiveRecorder::put(const LivePoint& point) {
  open_.push_back(point);
  if (open_.size() < kChunk) return;
  full_.push_back(std::make_shared<const std::vector<LivePoint>>(std::exchange(open_, {})));
  if (full_.size() * kChunk <= kLivePoints) return;
  forgotten_ += full_.front()->size();
  full_.erase(full_.begin());
}

void LiveRecorder::add(const device::LiveBatch& batch, double now) {
  if (runs_.empty()) return;
  LiveRun& run = runs_.back();
  run.every = batch.every;
  dropped_ += batch.dropped;
  if (batch.clockMhz) {
    clockMhz_ = batch.clockMhz;
    bestMhz_ = std::max(bestMhz_, *batch.clockMhz);
  }
  if (batch.ms.empty()) return;
  const double last = (batch.startMs + batch.atMs.back() + batch.ms.back()) / 1e3;
  if (!began_) began_ = now - last;
  // Assumes that the batch ends now, because the delays of the network and the window are unknown.
  if (!streamStart_) {
    streamStart_ = std::max(now - *began_ - last, newest_);
    passed_.clear();
  }
  if (run.seconds < 0) run.seconds = *streamStart_ + batch.startMs / 1e3;
  for (size_t i = 0; i < batch.ms.size(); ++i) {
    const double at = *streamStart_ + (batch.startMs + batch.atMs[i]) / 1e3;
    newest_ = std::max(newest_, at);
    put({newest_, batch.ms[i], firstRun_ + static_cast<uint32_t>(runs_.size() - 1)});
  }
  passed_.push_back({newest_, batch.launches});
  std::erase_if(passed_, [&](const Passed& p) { return p.seconds < newest_ - kRecentSeconds; });
}

void LiveRecorder::addRecorded(LiveRun run, double now) {
  if (!began_) began_ = now;
  newest_ = std::max(newest_, now - *began_);
  run.seconds = newest_;
  push(std::move(run));
}

void LiveRecorder::clear() {
  const std::optional<LiveRun> now = runs_.empty() ? std::nullopt : std::optional(runs_.back());
  *this = {};
  if (!now || now->recorded) return;
  runs_.push_back(*now);
  runs_.back().change.clear();
  runs_.back().seconds = -1;
}

LiveView LiveRecorder::view(double now) const {
  LiveView view;
  view.chunks = full_;
  if (!open_.empty()) view.chunks.push_back(std::make_shared<const std::vector<LivePoint>>(open_));
  view.runs = runs_;
  view.firstRun = firstRun_;
  if (!view.runs.empty() && !view.runs.back().recorded && view.runs.back().seconds < 0)
    view.runs.pop_back();  // Has no samples yet.
  for (const auto& chunk : view.chunks) view.points += chunk->size();
  view.forgotten = forgotten_;
  view.dropped = dropped_;
  view.seconds = began_ ? std::max(now - *began_, newest_) : 0;
  if (view.runs.empty()) return view;
  std::vector<float> recent;
  const uint32_t newest = firstRun_ + static_cast<uint32_t>(runs_.size() - 1);
  for (auto chunk = view.chunks.rbegin(); chunk != view.chunks.rend(); ++chunk) {
    if ((*chunk)->back().seconds < newest_ - kRecentSeconds) break;
    for (const LivePoint& point : **chunk)
      if (point.run == newest && point.seconds >= newest_ - kRecentSeconds)
        recent.push_back(point.ms);
  }
  std::ranges::sort(recent);
  view.recent.samples = recent.size();
  view.recent.clockMhz = clockMhz_;
  if (!recent.empty()) {
    view.recent.medianMs = quantile(recent, 0.5);
    view.recent.p10Ms = quantile(recent, 0.1);
    view.recent.p90Ms = quantile(recent, 0.9);
    view.warning = warningOf(view.recent, runs_.back(), bestMhz_);
  }
  if (passed_.size() > 4 && passed_.back().seconds > passed_.front().seconds) {
    uint64_t launches = 0;
    for (size_t i = 1; i < passed_.size(); ++i) launches += passed_[i].launches;
    view.recent.launchesPerSecond =
        static_cast<double>(launches) / (passed_.back().seconds - passed_.front().seconds);
  }
  return view;
}

}  // namespace tilestep::features
