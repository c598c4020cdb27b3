// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lab/sweep.h"
#include "lab/tune/tune_candidates.h"
#include "lab/tune/tune_prune.h"
#include "lab/tune/tune_search.h"
#include "lab/tune/tuned.h"

namespace tilestep::lab {

/// One kernel on one GPU at one choice of sizes.
struct TuneSubject {
  compile::KernelSource source;
  compile::KernelSpec spec;
  device::DeviceInfo device;
  compile::Bindings sizes;  ///< All of the kernel's names.
};

/// The outcome of one run of a candidate.
struct TuneAnswer {
  SweepRow::Status status = SweepRow::Status::ok;
  std::string reason;  ///< Empty if the status is ok.
  std::optional<double> ms;
  std::optional<MachineCode> code;
  bool checked = false;  ///< Its result was compared with the expected one.
};
[[nodiscard]] TuneAnswer tuneAnswerOf(const SweepRow& row);

/// Numbers of candidates.
struct TuneTally {
  uint64_t combinations = 0, legal = 0;
  uint64_t notCompiled = 0;  ///< Legal ones that were dropped before compiling.
  uint64_t timed = 0, dropped = 0, failed = 0;
};

/// Searches a kernel's tunables for the fastest choice: drops candidates (tune_prune.h), times
/// those that tune_search.h selects, measures the fastest of them longer, and checks these in turn
/// until one is right, if the kernel can be checked (compile::isCheckable). Its owner runs the
/// wanted candidates: the window one after another, a command several at a time. For one thread.
class Tuner {
 public:
  /// `load`: compiled only; `brief`, `full`: timed; `check`: not timed.
  enum class Stage : uint8_t { load, brief, full, check, over };
  struct Options {
    uint64_t seed = 1;   ///< Decides which candidates are sampled.
    bool prunes = true;  ///< Drop candidates before they are compiled.
    bool loads = false;  ///< Compile each candidate first, and drop it for its machine code.
    std::vector<compile::Bindings> first = {};  ///< Tried early, after the defaults.
  };
  /// A candidate that was dropped. It was compiled if there is machine code.
  struct Drop {
    size_t candidate = 0;
    std::string why;
    std::optional<MachineCode> code;
  };

  Tuner(TuneSubject subject, Candidates candidates, const Options& options);
  Tuner(const Tuner&) = delete;  // The tree refers to the candidates.
  Tuner& operator=(const Tuner&) = delete;

  [[nodiscard]] const TuneSubject& subject() const { return subject_; }
  [[nodiscard]] Stage stage() const { return stage_; }
  /// The candidates to run at this stage, in any order or at the same time. Empty if the search is
  /// over.
  [[nodiscard]] const std::vector<size_t>& wanted() const { return wanted_; }
  [[nodiscard]] compile::Bindings tunables(size_t candidate) const {
    return tunablesOf(subject_.spec, candidates_.legal[candidate]);
  }
  /// The experiment that runs the candidate at this stage; its other fields come from `experiment`.
  [[nodiscard]] Experiment experimentOf(size_t candidate, Experiment experiment) const;
  /// Accepts the result of a candidate in wanted() and removes it from there. The last one begins
  /// the next stage.
  void accept(size_t candidate, const TuneAnswer& answer);
  /// Compiles and times no further candidates; the fastest are measured longer from now on.
  void endTiming();
  /// The candidates dropped since the last call.
  [[nodiscard]] std::vector<Drop> takeDrops() { return std::exchange(drops_, {}); }

  struct Progress {
    std::string doing;         ///< "timing a sample"
    size_t done = 0, all = 0;  ///< Runs.
  };
  [[nodiscard]] Progress progress() const;
  [[nodiscard]] TuneTally tally() const;
  /// The fastest so far, timed briefly and not checked; nothing if none was timed.
  [[nodiscard]] std::optional<std::pair<compile::Bindings, double>> fastest() const;

  /// Null until the search is over. Its day is empty. Errors: no choice could be timed, or none
  /// gives a right result.
  [[nodiscard]] const Result<Tuned>* outcome() const { return outcome_ ? &*outcome_ : nullptr; }
  /// ", 1.3 times faster than the defaults": the winner, whose time was measured as long. Empty if
  /// the defaults were not timed.
  [[nodiscard]] std::string gainText() const;

 private:
  [[nodiscard]] std::optional<size_t> indexOf(const compile::Bindings& tunables) const;
  [[nodiscard]] std::vector<size_t> firstOnes(const std::vector<compile::Bindings>& wanted);
  std::vector<bool> prune(bool prunes);
  void advance();
  void nextBatch();
  void dropLoaded();
  void beginMeasuring();
  void beginChecking();
  void begin(Stage stage, std::vector<size_t> candidates);
  void win(size_t candidate);
  void fail(const std::string& what);

  TuneSubject subject_;
  Candidates candidates_;
  bool loads_;
  std::optional<size_t> default_;
  TuneTally tally_;
  std::vector<Drop> drops_;
  TuneSearch tree_;
  Stage stage_ = Stage::brief;
  std::vector<size_t> wanted_, batch_;
  size_t begun_ = 0;  ///< The number of candidates at the beginning of the stage.
  std::vector<std::optional<MachineCode>> codes_;  ///< By candidate.
  bool someSpillNothing_ = false, someHaveWarps_ = false;
  std::vector<std::pair<double, size_t>> measured_;  ///< The finalists; fastest first once sorted.
  std::optional<double> bestMs_, defaultMs_;
  std::string firstFailure_;  ///< Since timing, measuring or checking began.
  std::optional<Result<Tuned>> outcome_;
};

}  // namespace tilestep::lab
