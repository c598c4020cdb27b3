// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lab/experiment.h"
#include "lab/tune/tune_candidates.h"
#include "lab/tune/tune_search.h"
#include "lab/tune/tuned.h"

namespace tilestep::model {

/// One kernel on one GPU at one choice of sizes.
struct SearchSubject {
  compile::KernelSource source;
  compile::KernelSpec spec;
  device::DeviceInfo device;
  compile::Bindings sizes;                   ///< Every name.
  std::optional<compile::Bindings> earlier;  ///< What an earlier search found; it is tried early.
};

/// Searches a kernel's tunables for the fastest choice, one run after another: times the choices
/// that lab/tune/tune_search.h selects, measures the fastest of them longer, and checks the winner
/// where the kernel can be checked (compile::isCheckable). Sends no requests
/// itself. For one thread, but begin() may run on another one.
class TunableSearch {
 public:
  /// The timing ends after so many seconds of runs, whether or not they succeed; the last
  /// measurements and the check come after them.
  static constexpr double kSeconds = 120;

  /// Lists the legal choices, which takes a second where there are very many. Errors: none is
  /// legal, or there are too many combinations.
  static Result<std::unique_ptr<TunableSearch>> begin(SearchSubject subject);
  TunableSearch(SearchSubject subject, lab::Candidates candidates);
  TunableSearch(const TunableSearch&) = delete;  // The tree refers to the candidates.
  TunableSearch& operator=(const TunableSearch&) = delete;

  [[nodiscard]] const SearchSubject& subject() const { return subject_; }
  /// What to request now; nothing: the search is over. The same until its answer has arrived.
  [[nodiscard]] std::optional<lab::Experiment> wanted() const;
  /// The answer to wanted(), which took so many seconds. `lost`: the worker ended.
  void accept(Result<lab::RunResult> answer, bool lost, double seconds);

  struct Progress {
    std::string doing;         ///< "Timing a sample (3,570 choices are legal)"
    size_t done = 0, all = 0;  ///< Runs; `all` 0: not counted.
  };
  [[nodiscard]] Progress progress() const;
  /// The fastest so far, briefly timed and not checked; nothing: none was timed.
  [[nodiscard]] std::optional<std::pair<compile::Bindings, double>> fastest() const;

  /// Null until the search is over. Its day is empty. Errors: no choice could be timed, none gives
  /// a right result, or the worker was lost too often.
  [[nodiscard]] const Result<lab::Tuned>* outcome() const {
    return outcome_ ? &*outcome_ : nullptr;
  }
  /// The time of the default tunables, measured as long as the winner's; nothing: not timed.
  [[nodiscard]] std::optional<double> defaultMs() const { return defaultMs_; }

 private:
  enum class Stage : uint8_t { timing, measuring, checking };

  [[nodiscard]] compile::Bindings tunables(size_t candidate) const {
    return lab::tunablesOf(subject_.spec, candidates_.legal[candidate]);
  }
  [[nodiscard]] std::optional<size_t> indexOf(const compile::Bindings& tunables) const;
  [[nodiscard]] std::vector<size_t> firstOnes() const;
  void take(size_t candidate, const lab::RunResult* result);
  void advance();
  void beginMeasuring();
  void beginChecking();
  void win(size_t candidate);
  /// `what`, and why the first run of the present stage that failed did so.
  void fail(const std::string& what);

  SearchSubject subject_;
  lab::Candidates candidates_;
  std::optional<size_t> default_;
  lab::TuneSearch tree_;
  Stage stage_ = Stage::timing;
  std::vector<size_t> queue_;                        ///< The candidates of the present stage,
  size_t next_ = 0;                                  ///< of which this one is wanted.
  std::vector<std::pair<double, size_t>> measured_;  ///< The finalists, fastest first.
  std::optional<double> bestMs_, defaultMs_;
  double seconds_ = 0;
  int lostInARow_ = 0;
  std::string firstFailure_;  ///< Of the present stage.
  std::optional<Result<lab::Tuned>> outcome_;
};

}  // namespace tilestep::model
