// SPDX-License-Identifier: Apache-2.0
#include "lab/tune/tuner.h"

#include <algorithm>

#include "base/factor.h"
#include "compile/front_matter/tunable_values.h"
#include "lab/recording/recording.h"

namespace tilestep::lab {

TuneAnswer tuneAnswerOf(const SweepRow& row) {
  TuneAnswer answer{row.status, row.reason, {}, {}, false};
  if (!row.result) return answer;
  if (row.result->measurement) answer.ms = row.result->measurement->medianMs;
  if (row.result->registers && row.result->localBytes)
    answer.code =
        MachineCode{*row.result->registers, *row.result->localBytes, row.result->sharedBytes};
  answer.checked = row.result->check.has_value();
  return answer;
}

Tuner::Tuner(TuneSubject subject, Candidates candidates, const Options& options)
    : subject_(std::move(subject)),
      candidates_(std::move(candidates)),
      loads_(options.loads),
      tree_(candidates_, prune(options.prunes), firstOnes(options.first), {.seed = options.seed}),
      codes_(candidates_.legal.size()) {
  advance();
}

/// Marks the candidates worth compiling with true.
std::vector<bool> Tuner::prune(bool prunes) {
  std::vector<bool> open(candidates_.legal.size(), true);
  if (!prunes) return open;
  const std::vector<std::string> why = pruneByPlan(candidates_, subject_.device);
  for (size_t i = 0; i < why.size(); ++i) {
    if (why[i].empty()) continue;
    open[i] = false;
    ++tally_.notCompiled;
    drops_.push_back({i, why[i], {}});
  }
  tally_.dropped = tally_.notCompiled;
  return open;
}

std::optional<size_t> Tuner::indexOf(const compile::Bindings& tunables) const {
  for (size_t i = 0; i < candidates_.legal.size(); ++i)
    if (this->tunables(i) == tunables) return i;
  return std::nullopt;
}

std::vector<size_t> Tuner::firstOnes(const std::vector<compile::Bindings>& wanted) {
  default_ = indexOf(compile::defaultTunables(subject_.spec));
  std::vector<size_t> first;
  if (default_) first.push_back(*default_);
  for (const compile::Bindings& one : wanted)
    if (const auto index = indexOf(one)) first.push_back(*index);
  return first;
}

Experiment Tuner::experimentOf(size_t candidate, Experiment experiment) const {
  experiment.source = subject_.source;
  experiment.sizes = subject_.sizes;
  experiment.tunables = tunables(candidate);
  experiment.counters = false;
  experiment.loadOnly = stage_ == Stage::load;
  experiment.thorough = stage_ == Stage::full;
  experiment.check = stage_ == Stage::check;
  experiment.measure = stage_ != Stage::check;
  return experiment;
}

void Tuner::accept(size_t candidate, const TuneAnswer& answer) {
  const auto at = std::ranges::find(wanted_, candidate);
  if (at == wanted_.end()) return;
  wanted_.erase(at);
  const bool isOk = answer.status == SweepRow::Status::ok;
  const auto ms = isOk ? answer.ms : std::nullopt;
  if (!isOk && firstFailure_.empty()) firstFailure_ = answer.reason;
  switch (stage_) {
    case Stage::load:
      codes_[candidate] = answer.code;
      if (isOk) break;
      std::erase(batch_, candidate);
      ++(answer.status == SweepRow::Status::failed ? tally_.failed : tally_.dropped);
      break;
    case Stage::brief:
      if (!ms) ++tally_.failed;
      if (ms && (!bestMs_ || *ms < *bestMs_)) bestMs_ = ms;
      tree_.tell(candidate, ms);
      break;
    case Stage::full:
      if (ms) measured_.emplace_back(*ms, candidate);
      if (candidate == default_) defaultMs_ = ms;
      break;
    case Stage::check:
      if (isOk && answer.checked) return win(candidate);
      break;
    case Stage::over:
      break;
  }
  if (wanted_.empty()) advance();
}

void Tuner::endTiming() {
  if (stage_ == Stage::load || stage_ == Stage::brief) beginMeasuring();
}

/// Begins the next stage, or the next batch of the same stage.
void Tuner::advance() {
  switch (stage_) {
    case Stage::load:
      dropLoaded();
      if (batch_.empty()) return nextBatch();
      return begin(Stage::brief, batch_);
    case Stage::brief:
      return nextBatch();
    case Stage::full:
      return beginChecking();
    case Stage::check: {
      // Check the next slower one.
      measured_.erase(measured_.begin());
      if (measured_.empty()) return fail("none of the fastest choices gives a right result");
      return begin(Stage::check, {measured_.front().second});
    }
    case Stage::over:
      return;
  }
}

void Tuner::begin(Stage stage, std::vector<size_t> candidates) {
  stage_ = stage;
  wanted_ = std::move(candidates);
  begun_ = wanted_.size();
}

void Tuner::nextBatch() {
  batch_ = tree_.nextBatch();
  if (batch_.empty()) return beginMeasuring();
  begin(loads_ ? Stage::load : Stage::brief, batch_);
}

/// Removes candidates with bad machine code from the batch.
void Tuner::dropLoaded() {
  for (const size_t one : batch_) {
    const std::optional<MachineCode>& code = codes_[one];
    if (!code) continue;
    someSpillNothing_ |= code->localBytes == 0;
    const auto warps =
        warpsOf(candidates_.legal[one], code->sharedBytes, code->registers, subject_.device);
    someHaveWarps_ |= warps && *warps >= kLeastWarps;
  }
  std::erase_if(batch_, [this](size_t one) {
    if (!codes_[one]) return false;
    const std::string why = pruneByMachineCode(candidates_.legal[one], *codes_[one],
                                               subject_.device, someSpillNothing_, someHaveWarps_);
    if (why.empty()) return false;
    ++tally_.dropped;
    drops_.push_back({one, why, codes_[one]});
    return true;
  });
}

void Tuner::beginMeasuring() {
  begin(Stage::full, tree_.finalists(default_));
  if (wanted_.empty()) return fail("no choice could be timed");
  firstFailure_.clear();
}

void Tuner::beginChecking() {
  std::ranges::sort(measured_);
  if (measured_.empty()) return fail("no choice could be measured");
  firstFailure_.clear();
  if (!compile::isCheckable(subject_.spec)) return win(measured_.front().second);
  begin(Stage::check, {measured_.front().second});
}

void Tuner::fail(const std::string& what) {
  begin(Stage::over, {});
  outcome_ = workError(what + (firstFailure_.empty() ? "" : ": " + firstFailure_));
}

void Tuner::win(size_t candidate) {
  begin(Stage::over, {});
  outcome_ = Tuned{subject_.spec.name,
                   programHashOf(subject_.source, subject_.spec),
                   subject_.device.name,
                   subject_.sizes,
                   tunables(candidate),
                   measured_.front().first,
                   tree_.timed(),
                   candidates_.legal.size(),
                   {}};
}

std::string Tuner::gainText() const {
  if (!defaultMs_) return {};
  const double ms = (*outcome_)->medianMs;
  return ", " + factorText(ms, *defaultMs_, kTimeWords) +
         (isNearly(ms, *defaultMs_) ? " as the defaults" : " than the defaults");
}

Tuner::Progress Tuner::progress() const {
  const size_t done = begun_ - wanted_.size();
  switch (stage_) {
    case Stage::load:
      return {"compiling " + tree_.stage(), tree_.timed(), tree_.planned()};
    case Stage::brief:
      return {"timing " + tree_.stage(), tree_.timed(), tree_.planned()};
    case Stage::full:
      return {"measuring the fastest longer", done, begun_};
    case Stage::check:
      return {"checking the result of the fastest", done, begun_};
    case Stage::over:
      break;
  }
  return {};
}

TuneTally Tuner::tally() const {
  TuneTally tally = tally_;
  tally.combinations = candidates_.combinations;
  tally.legal = candidates_.legal.size();
  tally.timed = tree_.timed();
  return tally;
}

std::optional<std::pair<compile::Bindings, double>> Tuner::fastest() const {
  const std::optional<size_t> best = tree_.best();
  if (!best || !bestMs_) return std::nullopt;
  return std::pair(tunables(*best), *bestMs_);
}

}  // namespace tilestep::lab
