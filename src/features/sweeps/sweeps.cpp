// SPDX-License-Identifier: Apache-2.0
#include "features/sweeps/sweeps.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "base/library_product.h"
#include "model/choice/resolved.h"

namespace tilestep::features {
namespace {

constexpr double kMostSeconds = 60;  ///< For one point.
/// Delay between a worker's answer and the next request.
constexpr double kOverheadSeconds = 0.01;
constexpr int kMostLost = 3;
constexpr uint64_t kMostTimelineBlocks = 16384;

/// Sorts the points: doublings first, so that the outline appears early; sizes from small to large.
int turnOf(const SweepPlan& plan, const SweepPoint& point) {
  if (plan.kind == SweepKind::sizes) return static_cast<int>(point.column);
  const auto doubling = [](const SweepAxis& axis, size_t index) {
    if (axis.values.empty() || axis.values[index] <= 0) return true;
    return std::has_single_bit(static_cast<uint64_t>(axis.values[index]));
  };
  return doubling(plan.x, point.column) && doubling(plan.y, point.row) ? 0 : 1;
}

/// The samples of the plan's points; a point's last line in the file counts.
SweepSamples fileSamples(const SweepPlan& plan, const SweepFile& file) {
  std::map<std::string, const SweepSample*> lines;
  const auto keyOf = [](const std::string& kernel, const compile::Bindings& values) {
    return kernel + ";" + lab::pointText({}, values);
  };
  for (const SweepFileRow& row : file.rows) lines[keyOf(row.kernel, row.values)] = &row.sample;
  SweepSamples samples;
  for (const SweepPoint& point : plan.points) {
    const auto line = lines.find(keyOf(plan.series[point.series].spec->name, valuesOf(point)));
    if (line != lines.end()) samples[point.key] = *line->second;
  }
  return samples;
}

}  // namespace

lab::Experiment experimentOf(const SweepPlan& plan, const SweepPoint& point,
                             SweepQuantity quantity) {
  lab::Experiment experiment;
  experiment.source = plan.series[point.series].source;
  experiment.sizes = point.sizes;
  experiment.tunables = point.tunables;
  experiment.device = plan.device;
  experiment.seed = kSeed;
  experiment.onlyRecorded = plan.source == SweepSource::recording;
  experiment.measure =
      experiment.onlyRecorded || (plan.source == SweepSource::live && needsTime(quantity));
  experiment.counters = experiment.onlyRecorded || !needsTime(quantity);
  experiment.timeoutSeconds = kMostSeconds;
  // The ladder also shows a warp's timeline and the hardware counters.
  const bool explained = plan.kind == SweepKind::ladder && experiment.measure &&
                         !isLibraryProduct(plan.series[point.series].spec->name);
  experiment.hardware = explained;
  experiment.timeline = explained && point.blocks <= kMostTimelineBlocks;
  return experiment;
}

bool Sweeps::isRead(const SweepPlan& plan) {
  const bool isKept = plan.source == SweepSource::interpreter || plan.source == SweepSource::live;
  bool all = true;  // Reads all of them at the same time.
  for (const SweepSeries& series : plan.series)
    if (isKept) all = store_.isRead(ownerOf(plan, series)) && all;
  return all;
}

void Sweeps::show(std::shared_ptr<const SweepPlan> plan,
                  const std::shared_ptr<const lab::DeviceRecording>& recording) {
  plan_ = std::move(plan);
  fixed_.reset();
  if (plan_->source == SweepSource::file && file_)
    fixed_ = fileSamples(*plan_, *file_);
  else if (plan_->source == SweepSource::recording && recording)
    fixed_ = recordedSamples(*plan_, *recording);
  ++version_;
}

void Sweeps::hide() {
  plan_.reset();
  fixed_.reset();
}

void Sweeps::open(SweepFile file, std::string name) {
  hide();
  file_ = std::move(file);
  fileName_ = std::move(name);
  ++version_;
}

void Sweeps::close() {
  hide();
  file_.reset();
  fileName_.clear();
  ++version_;
}

const SweepSample* Sweeps::find(const SweepPlan& plan, const SweepPoint& point) {
  if (!point.illegal.empty()) return nullptr;
  if (fixed_ && &plan == plan_.get()) {
    const auto at = fixed_->find(point.key);
    return at == fixed_->end() ? nullptr : &at->second;
  }
  return store_.find(ownerOf(plan, plan.series[point.series]), point.key);
}

void Sweeps::start(SweepQuantity quantity, bool again) {
  if (!plan_ || fixed_) return;
  if (plan_->kind == SweepKind::ladder && plan_->source == SweepSource::interpreter) return;
  Job job;
  job.plan = plan_;
  job.quantity = resolved(quantity, *plan_);
  for (size_t i = 0; i < plan_->points.size(); ++i) {
    const SweepPoint& point = plan_->points[i];
    if (!point.illegal.empty()) continue;
    const SweepSample* known = find(*plan_, point);
    // A failed point is retried when it is requested again.
    if (again || known == nullptr || !isAnswered(job.quantity, *known)) job.points.push_back(i);
  }
  if (job.points.empty()) return again ? void() : start(quantity, true);
  for (size_t of = 0; again && of < plan_->series.size(); ++of) {
    std::vector<SweepPoint> dropped;
    for (const size_t i : job.points)
      if (plan_->points[i].series == of) dropped.push_back(plan_->points[i]);
    store_.drop(ownerOf(*plan_, plan_->series[of]), dropped);
  }
  std::ranges::stable_sort(job.points, {},
                           [&](size_t i) { return turnOf(*plan_, plan_->points[i]); });
  job_ = std::move(job);
  ++version_;
}

std::optional<lab::Experiment> Sweeps::wanted() const {
  if (!job_) return std::nullopt;
  return experimentOf(*job_->plan, job_->plan->points[job_->points[job_->next]], job_->quantity);
}

void Sweeps::put(const SweepSample& sample) {
  const SweepPoint& point = job_->plan->points[job_->points[job_->next]];
  store_.put(ownerOf(*job_->plan, job_->plan->series[point.series]), point, sample);
  ++version_;
  if (++job_->next == job_->points.size()) job_.reset();
}

void Sweeps::accept(const lab::RunResult& result, const std::string& day) {
  if (!job_) return;
  job_->lostInARow = 0;
  job_->seconds += result.wallSeconds + kOverheadSeconds;
  ++job_->timed;
  secondsAPoint_ = job_->seconds / static_cast<double>(job_->timed);
  put(sampleOf(result, day));
}

bool Sweeps::acceptError(const Error& error, bool lost) {
  if (!job_) return true;
  job_->lostInARow = lost ? job_->lostInARow + 1 : 0;
  if (job_->lostInARow >= kMostLost) {
    cancel();
    return false;
  }
  SweepSample sample;
  sample.reason = error.message;
  put(sample);
  return true;
}

SweepProgress Sweeps::progress() const {
  SweepProgress progress;
  if (!job_) return progress;
  progress.running = true;
  progress.done = job_->next;
  progress.all = job_->points.size();
  if (job_->timed > 0)
    progress.secondsLeft = *secondsAPoint_ * static_cast<double>(progress.all - progress.done);
  progress.what = pointNameOf(*job_->plan, job_->plan->points[job_->points[job_->next]]);
  if (job_->plan != plan_) progress.title = job_->plan->x.name;
  return progress;
}

SweepView Sweeps::view(SweepQuantity quantity, std::vector<compile::Bindings> now,
                       std::optional<double> guess) {
  SweepViewInputs inputs;
  inputs.plan = plan_;
  inputs.quantity = quantity;
  inputs.find = [this](const SweepPoint& point) { return find(*plan_, point); };
  inputs.now = std::move(now);
  inputs.secondsAPoint = secondsAPoint_ ? secondsAPoint_ : guess;
  inputs.file = fileName_;
  return sweepViewOf(inputs);
}

}  // namespace tilestep::features
