// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lab/tune/tune_candidates.h"

namespace tilestep::lab {

/// Chooses the candidates to time, and their order. If there are few, all are timed. If there are
/// many, a uniform sample is timed, then the neighbours of the fastest ones (one tunable a step up
/// or down, or two tunables if that finds nothing better), until none is faster. The same
/// candidates, times and seed give the same order. Pure; for one thread.
class TuneSearch {
 public:
  struct Options {
    uint64_t seed = 1;
    size_t all = 192;      ///< Up to this many candidates, all are timed.
    size_t sample = 64;    ///< If there are more, this many are timed first.
    size_t leaders = 3;    ///< The number of leaders whose neighbours are timed next.
    size_t batch = 16;     ///< The number of candidates per batch.
    size_t finalists = 8;  ///< At most.
  };
  /// `open` has an entry for each candidate; false excludes it. `first` are tried before all
  /// others.
  TuneSearch(const Candidates& candidates, std::vector<bool> open, const std::vector<size_t>& first,
             Options options);

  /// The candidates to time next, each returned once. Empty if the search is over. Before the next
  /// call, report the outcome of all of them with tell().
  [[nodiscard]] std::vector<size_t> nextBatch();
  /// Reports a candidate's time, which is absent if it was dropped or did not run.
  void tell(size_t candidate, std::optional<double> medianMs);

  /// The timed candidates, fastest first; ties in the order of the candidates.
  [[nodiscard]] std::vector<size_t> ranking() const;
  /// The candidates that deserve a longer measurement: the fastest quarter of those timed, at least
  /// three, and `also` for comparison, if it was timed.
  [[nodiscard]] std::vector<size_t> finalists(std::optional<size_t> also = {}) const;
  [[nodiscard]] std::optional<size_t> best() const;
  [[nodiscard]] size_t timed() const { return times_.size(); }
  /// The number of candidates returned so far plus those waiting.
  [[nodiscard]] size_t planned() const { return given_.size(); }
  /// The current stage: "all", "a sample", "neighbours of the fastest".
  [[nodiscard]] std::string stage() const;

 private:
  enum class Stage { all, sample, neighbours, pairs, over };
  void plan(size_t candidate);
  void shuffleInto(size_t count);
  void advance();
  void planNeighbours(size_t candidate, bool pairs);
  [[nodiscard]] std::vector<std::vector<int64_t>> stepsFrom(const std::vector<int64_t>& values,
                                                            size_t tunable) const;

  const Candidates& candidates_;
  std::vector<bool> open_;
  Options options_;
  Stage stage_ = Stage::all;
  std::map<std::vector<int64_t>, size_t> index_;
  std::vector<size_t> waiting_;  ///< The current stage's candidates, in order.
  std::set<size_t> given_;       ///< Returned or waiting.
  std::map<size_t, double> times_;
  std::optional<size_t> bestBefore_;  ///< The best when the last neighbours were planned.
};

}  // namespace tilestep::lab
