// SPDX-License-Identifier: Apache-2.0
#include "lab/tune/tune_search.h"

#include <algorithm>
#include <numeric>

#include "base/hash.h"

namespace tilestep::lab {

TuneSearch::TuneSearch(const Candidates& candidates, std::vector<bool> open,
                       const std::vector<size_t>& first, Options options)
    : candidates_(candidates), open_(std::move(open)), options_(options) {
  open_.resize(candidates.legal.size(), true);
  for (size_t i = 0; i < candidates.legal.size(); ++i) index_[candidates.legal[i].values] = i;
  for (const size_t candidate : first) plan(candidate);
  const auto many = static_cast<size_t>(std::ranges::count(open_, true));
  stage_ = many <= options_.all ? Stage::all : Stage::sample;
  shuffleInto(stage_ == Stage::all ? many : options_.sample);
}

void TuneSearch::plan(size_t candidate) {
  if (candidate >= open_.size() || !open_[candidate] || !given_.insert(candidate).second) return;
  waiting_.push_back(candidate);
}

/// Draws random candidates until `count` are waiting.
void TuneSearch::shuffleInto(size_t count) {
  std::vector<size_t> order;
  for (size_t i = 0; i < open_.size(); ++i) {
    if (open_[i] && !given_.contains(i)) order.push_back(i);
  }
  uint64_t state = splitmix64(options_.seed);
  for (size_t i = order.size(); i > 1; --i) {
    state = splitmix64(state);
    std::swap(order[i - 1], order[state % i]);
  }
  for (size_t i = 0; i < order.size() && waiting_.size() < count; ++i) plan(order[i]);
}

std::vector<size_t> TuneSearch::nextBatch() {
  while (waiting_.empty() && stage_ != Stage::over) advance();
  const size_t count = std::min(waiting_.size(), options_.batch);
  const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(count);
  std::vector<size_t> batch(waiting_.begin(), end);
  waiting_.erase(waiting_.begin(), end);
  return batch;
}

void TuneSearch::advance() {
  const std::vector<size_t> ranked = ranking();
  if (stage_ == Stage::all || ranked.empty()) {
    stage_ = Stage::over;
    return;
  }
  const bool better = !bestBefore_ || ranked.front() != *bestBefore_;
  if (stage_ == Stage::pairs && !better) {
    stage_ = Stage::over;
    return;
  }
  stage_ = better ? Stage::neighbours : Stage::pairs;
  bestBefore_ = ranked.front();
  const size_t leaders = stage_ == Stage::pairs ? 1 : options_.leaders;
  for (size_t i = 0; i < std::min(leaders, ranked.size()); ++i)
    planNeighbours(ranked[i], stage_ == Stage::pairs);
}

/// The values with one tunable a step lower and a step higher.
std::vector<std::vector<int64_t>> TuneSearch::stepsFrom(const std::vector<int64_t>& values,
                                                        size_t tunable) const {
  const std::vector<int64_t>& own = candidates_.values[tunable];
  const auto at = std::ranges::lower_bound(own, values[tunable]) - own.begin();
  std::vector<std::vector<int64_t>> found;
  for (const std::ptrdiff_t step : {-1, 1}) {
    if (at + step < 0 || at + step >= std::ssize(own)) continue;
    found.push_back(values);
    found.back()[tunable] = own[static_cast<size_t>(at + step)];
  }
  return found;
}

void TuneSearch::planNeighbours(size_t candidate, bool pairs) {
  const auto planValues = [&](const std::vector<int64_t>& values) {
    const auto at = index_.find(values);
    if (at != index_.end()) plan(at->second);
  };
  const std::vector<int64_t>& values = candidates_.legal[candidate].values;
  for (size_t i = 0; i < values.size(); ++i) {
    for (const auto& one : stepsFrom(values, i)) {
      if (!pairs) planValues(one);
      for (size_t j = i + 1; pairs && j < values.size(); ++j) {
        for (const auto& two : stepsFrom(one, j)) planValues(two);
      }
    }
  }
}

void TuneSearch::tell(size_t candidate, std::optional<double> medianMs) {
  if (medianMs) times_[candidate] = *medianMs;
}

std::vector<size_t> TuneSearch::ranking() const {
  std::vector<size_t> ranked;
  for (const auto& [candidate, ms] : times_) ranked.push_back(candidate);
  std::ranges::stable_sort(ranked, {}, [&](size_t one) { return times_.at(one); });
  return ranked;
}

std::vector<size_t> TuneSearch::finalists(std::optional<size_t> also) const {
  constexpr size_t kQuarter = 4, kLeast = 3;
  std::vector<size_t> ranked = ranking();
  const size_t quarter = (ranked.size() + kQuarter - 1) / kQuarter;
  ranked.resize(std::min({ranked.size(), std::max(quarter, kLeast), options_.finalists}));
  if (also && times_.contains(*also) && std::ranges::find(ranked, *also) == ranked.end())
    ranked.push_back(*also);
  return ranked;
}

std::optional<size_t> TuneSearch::best() const {
  const std::vector<size_t> ranked = ranking();
  return ranked.empty() ? std::nullopt : std::optional(ranked.front());
}

std::string TuneSearch::stage() const {
  switch (stage_) {
    case Stage::all:
      return "all of them";
    case Stage::sample:
      return "a sample";
    case Stage::neighbours:
      return "neighbours of the fastest";
    case Stage::pairs:
      return "neighbours by two";
    case Stage::over:
      break;
  }
  return "done";
}

}  // namespace tilestep::lab
