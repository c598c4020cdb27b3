// SPDX-License-Identifier: Apache-2.0
#include "features/tuning/tunable_search.h"

#include <algorithm>

#include "base/figure.h"
#include "lab/recording/recording.h"
#include "lab/sweep.h"
#include "lab/tune/tune_prune.h"

namespace tilestep::model {
namespace {

constexpr int kMostLostRuns = 3;

/// False for candidates that need not be timed.
std::vector<bool> openOnes(const lab::Candidates& candidates, const device::DeviceInfo& device) {
  std::vector<bool> open;
  for (const std::string& why : lab::pruneByPlan(candidates, device)) open.push_back(why.empty());
  return open;
}

compile::Bindings defaultsOf(const compile::KernelSpec& spec) {
  compile::Bindings defaults;
  for (const compile::TunableSpec& tunable : spec.tunables)
    defaults[tunable.name] = tunable.defaultValue;
  return defaults;
}

}  // namespace

Result<std::unique_ptr<TunableSearch>> TunableSearch::begin(SearchSubject subject) {
  uint64_t combinations = 1;
  for (const std::vector<int64_t>& values : lab::tuningValues(subject.spec, {})) {
    combinations *= values.size();
    if (combinations > lab::kMostCombinations)
      return requestError("the tunables have more than " + grouped(lab::kMostCombinations) +
                          " combinations");
  }
  Result<lab::Candidates> candidates =
      lab::candidatesOf(subject.spec, subject.sizes, {}, subject.device.limits);
  if (!candidates) return candidates.error();
  return std::make_unique<TunableSearch>(std::move(subject), std::move(*candidates));
}

TunableSearch::TunableSearch(SearchSubject subject, lab::Candidates candidates)
    : subject_(std::move(subject)),
      candidates_(std::move(candidates)),
      default_(indexOf(defaultsOf(subject_.spec))),
      tree_(candidates_, openOnes(candidates_, subject_.device), firstOnes(), {}) {
  advance();
}

std::optional<size_t> TunableSearch::indexOf(const compile::Bindings& tunables) const {
  for (size_t i = 0; i < candidates_.legal.size(); ++i)
    if (this->tunables(i) == tunables) return i;
  return std::nullopt;
}

std::vector<size_t> TunableSearch::firstOnes() const {
  std::vector<size_t> first;
  if (default_) first.push_back(*default_);
  const auto earlier = subject_.earlier ? indexOf(*subject_.earlier) : std::nullopt;
  if (earlier && earlier != default_) first.push_back(*earlier);
  return first;
}

std::optional<lab::Experiment> TunableSearch::wanted() const {
  if (outcome_) return std::nullopt;
  lab::Experiment experiment;
  experiment.source = subject_.source;
  experiment.sizes = subject_.sizes;
  experiment.tunables = tunables(queue_[next_]);
  experiment.device = subject_.device.id;
  experiment.thorough = stage_ == Stage::measuring;
  experiment.check = stage_ == Stage::checking;
  experiment.measure = stage_ != Stage::checking;
  return experiment;
}

void TunableSearch::accept(Result<lab::RunResult> answer, bool lost, double seconds) {
  const std::optional<lab::Experiment> experiment = wanted();
  if (!experiment) return;
  seconds_ += seconds;
  lostInARow_ = lost ? lostInARow_ + 1 : 0;
  if (lostInARow_ == kMostLostRuns) {
    outcome_ = workError("the worker was lost three times in a row: " + answer.error().message);
    return;
  }
  const lab::SweepRow row = lab::rowOf(subject_.spec.name, *experiment, std::move(answer));
  const bool ok = row.status == lab::SweepRow::Status::ok;
  if (!ok && firstFailure_.empty()) firstFailure_ = row.reason;
  take(queue_[next_++], ok ? &*row.result : nullptr);
  advance();
}

/// `result`: null where the run failed.
void TunableSearch::take(size_t candidate, const lab::RunResult* result) {
  if (stage_ == Stage::checking) {
    if (result != nullptr && result->check) win(candidate);
    return;
  }
  const auto ms = result != nullptr && result->measurement
                      ? std::optional(result->measurement->medianMs)
                      : std::nullopt;
  if (stage_ == Stage::measuring) {
    if (ms) measured_.emplace_back(*ms, candidate);
    if (candidate == default_) defaultMs_ = ms;
    return;
  }
  if (ms && (!bestMs_ || *ms < *bestMs_)) bestMs_ = ms;
  tree_.tell(candidate, ms);
}

/// Goes on to what is wanted next.
void TunableSearch::advance() {
  if (outcome_) return;
  const bool enough = stage_ == Stage::timing && seconds_ > kSeconds;
  if (next_ < queue_.size() && !enough) return;
  next_ = 0;
  switch (stage_) {
    case Stage::timing:
      queue_ = enough ? std::vector<size_t>{} : tree_.nextBatch();
      if (queue_.empty()) beginMeasuring();
      break;
    case Stage::measuring:
      beginChecking();
      break;
    case Stage::checking:
      fail("none of the fastest choices gives a right result");
  }
}

void TunableSearch::beginMeasuring() {
  stage_ = Stage::measuring;
  queue_ = tree_.finalists(default_);
  if (queue_.empty()) fail("no choice could be timed");
  firstFailure_.clear();
}

void TunableSearch::beginChecking() {
  stage_ = Stage::checking;
  std::ranges::sort(measured_);
  queue_.clear();
  for (const auto& [ms, candidate] : measured_) queue_.push_back(candidate);
  if (queue_.empty()) return fail("no choice could be measured");
  firstFailure_.clear();
  if (!compile::isCheckable(subject_.spec)) win(queue_.front());
}

void TunableSearch::fail(const std::string& what) {
  outcome_ = workError(what + (firstFailure_.empty() ? "" : ": " + firstFailure_));
}

void TunableSearch::win(size_t candidate) {
  lab::Tuned best{subject_.spec.name,
                  lab::programHashOf(subject_.source, subject_.spec),
                  subject_.device.name,
                  subject_.sizes,
                  tunables(candidate),
                  0,
                  tree_.timed(),
                  candidates_.legal.size(),
                  {}};
  best.medianMs =
      std::ranges::find(measured_, candidate, &std::pair<double, size_t>::second)->first;
  outcome_ = std::move(best);
}

TunableSearch::Progress TunableSearch::progress() const {
  if (outcome_) return {};
  switch (stage_) {
    case Stage::measuring:
      return {"Measuring the fastest longer", next_, queue_.size()};
    case Stage::checking:
      return {"Checking the result of the fastest", 0, 0};
    case Stage::timing:
      break;
  }
  return {
      "Timing " + tree_.stage() + " (" + grouped(candidates_.legal.size()) + " choices are legal)",
      tree_.timed(), tree_.planned()};
}

std::optional<std::pair<compile::Bindings, double>> TunableSearch::fastest() const {
  const std::optional<size_t> best = tree_.best();
  if (!best || !bestMs_) return std::nullopt;
  return std::pair(tunables(*best), *bestMs_);
}

}  // namespace tilestep::model
