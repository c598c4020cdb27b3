// SPDX-License-Identifier: Apache-2.0
#include "app/best/best_search.h"

#include <algorithm>
#include <chrono>

#include "app/best/best_report.h"
#include "app/environment.h"
#include "app/sweep_progress.h"
#include "base/figure.h"
#include "base/files.h"
#include "lab/recording/recording.h"
#include "lab/tune/tune_prune.h"
#include "lab/tune/tune_search.h"
#include "lab/tune/tuned.h"

namespace tilestep::app {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point then) {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

/// The search at one point of sizes.
class SizeSearch {
 public:
  SizeSearch(BestSearch& search, compile::Bindings sizes, lab::Candidates candidates,
             double seconds)
      : search_(search),
        spec_(search.kernel.spec),
        sizes_(std::move(sizes)),
        candidates_(std::move(candidates)),
        seconds_(seconds) {}

  /// The winner's line; nothing where none was found or it was interrupted.
  std::optional<lab::SweepLine> run() {
    const std::vector<bool> open = prune();
    search_tree_.emplace(candidates_, open, firstOnes(),
                         lab::TuneSearch::Options{.seed = search_.options.experiment.seed});
    say(candidatesText(search_, sizes_, tally()));
    for (auto batch = search_tree_->nextBatch(); !batch.empty() && !enough();
         batch = search_tree_->nextBatch())
      take(batch);
    if (search_.stopped()) return stoppedBest();
    return finals();
  }

 private:
  using Lines = std::vector<std::optional<lab::SweepLine>>;

  [[nodiscard]] compile::Bindings tunables(size_t candidate) const {
    return lab::tunablesOf(spec_, candidates_.legal[candidate]);
  }
  [[nodiscard]] std::string nameOf(size_t candidate) const {
    return lab::pointText({}, tunables(candidate));
  }
  [[nodiscard]] std::string where() const { return whereText(search_, sizes_); }
  [[nodiscard]] BestTally tally() const {
    return {candidates_.combinations,
            candidates_.legal.size(),
            notCompiled_,
            search_tree_->timed(),
            dropped_,
            failed_};
  }
  [[nodiscard]] bool enough() const {
    return search_.stopped() || (seconds_ > 0 && bestMs_ && secondsSince(started_) > seconds_);
  }

  /// False for candidates that are dropped before they are compiled.
  std::vector<bool> prune() {
    std::vector<bool> open(candidates_.legal.size(), true);
    if (search_.options.all) return open;
    const std::vector<std::string> why = lab::pruneByPlan(candidates_, search_.device);
    for (size_t i = 0; i < why.size(); ++i) {
      if (why[i].empty()) continue;
      open[i] = false;
      ++notCompiled_;
      drop("plan", i, why[i], nullptr);
    }
    return open;
  }

  void drop(const std::string& stage, size_t candidate, const std::string& why,
            const lab::RunResult* loaded) {
    ++dropped_;
    if (search_.book.find(stage, sizes_, tunables(candidate))) return;
    lab::SweepRow row;
    row.status = lab::SweepRow::Status::skipped;
    row.kernel = spec_.name;
    row.device = search_.device.id;
    row.sizes = sizes_;
    row.tunables = tunables(candidate);
    row.reason = why;
    if (loaded) row.result = *loaded;
    search_.book.add(search_.book.cellsOf(stage, row));
  }

  [[nodiscard]] std::optional<size_t> indexOf(const compile::Bindings& wanted) const {
    for (size_t i = 0; i < candidates_.legal.size(); ++i) {
      if (tunables(i) == wanted) return i;
    }
    return std::nullopt;
  }

  /// The first candidates: the defaults, the winners at other sizes and the results of earlier
  /// searches.
  std::vector<size_t> firstOnes() {
    std::vector<compile::Bindings> wanted(1);
    for (const compile::TunableSpec& tunable : spec_.tunables)
      wanted[0][tunable.name] = tunable.defaultValue;
    default_ = indexOf(wanted[0]);
    wanted.insert(wanted.end(), search_.winners.begin(), search_.winners.end());
    if (const auto home = findHome()) {
      const lab::KnownTuned known =
          lab::tunedFor(spec_, search_.code, search_.device.name, sizes_, lab::tunedFolders(*home));
      if (!known.damage.empty()) say("tilestep: " + known.damage);
      if (known.best) wanted.push_back(known.best->tunables);
    }
    std::vector<size_t> first;
    for (const compile::Bindings& one : wanted) {
      if (const auto index = indexOf(one)) first.push_back(*index);
    }
    return first;
  }

  lab::Experiment experimentOf(size_t candidate) const {
    lab::Experiment experiment = search_.options.experiment;
    experiment.source = search_.kernel.source;
    experiment.sizes = sizes_;
    experiment.tunables = tunables(candidate);
    experiment.check = experiment.counters = false;
    return experiment;
  }

  void showProgress(const std::string& doing, size_t done, size_t of,
                    const std::optional<worker::Progress>& news) {
    if (news) stage_ = progressText(*news);
    if (!line_.due()) return;
    std::string text =
        where() + ": " + doing + ", " + std::to_string(done) + " of " + std::to_string(of);
    if (const auto best = search_tree_->best())
      text += " · best " + milliseconds(*bestMs_) + " (" + nameOf(*best) + ")";
    text += " · " + roughly(secondsSince(started_));
    if (seconds_ > 0) text += " of " + roughly(seconds_);
    line_.show(text, stage_);
  }

  /// Runs one stage for the candidates that the book does not contain yet. `make` adjusts the
  /// experiment, `keep` says whether the line is written. Returns the lines by position in `batch`;
  /// nothing for candidates that were cut off.
  template <class Make, class Keep>
  Lines stage(const std::string& name, const std::string& doing, const std::vector<size_t>& batch,
              const Make& make, const Keep& keep) {
    Lines lines(batch.size());
    std::vector<size_t> asked;
    std::vector<lab::Experiment> experiments;
    for (size_t i = 0; i < batch.size(); ++i) {
      if (const auto* known = search_.book.find(name, sizes_, tunables(batch[i]))) {
        lines[i] = *known;
        continue;
      }
      asked.push_back(i);
      experiments.push_back(experimentOf(batch[i]));
      make(experiments.back());
    }
    worker::Crew::Events events;
    events.interrupted = [&] { return interrupted() || (!inFinals_ && enough()); };
    events.left = [&](const Error& why) {
      line_.clear();
      say("tilestep: the search continues without one worker: " + why.message);
    };
    events.tick = [&](size_t finished, const auto& news) {
      showProgress(doing,
                   inFinals_ ? finished : search_tree_->timed() + (name == "load" ? 0 : finished),
                   inFinals_ ? experiments.size() : search_tree_->planned(), news);
    };
    events.done = [&](size_t index, Result<lab::RunResult> outcome) {
      if (outcome) search_.devices.insert(outcome->device.name);
      const lab::SweepRow row = lab::rowOf(spec_.name, experiments[index], std::move(outcome));
      lines[asked[index]] = search_.book.cellsOf(name, row);
      if (keep(row)) search_.book.add(*lines[asked[index]]);
    };
    if (!experiments.empty()) {
      const Status ended = search_.crew.run(experiments, 0, events);
      if (!ended) search_.ended = ended;
    }
    line_.clear();
    return lines;
  }

  /// Loads, drops and times a batch.
  void take(const std::vector<size_t>& batch) {
    const std::vector<size_t> left = search_.options.all ? batch : loaded(batch);
    const Lines lines = stage(
        "brief", search_tree_->stage(), left, [](lab::Experiment&) {},
        [](const lab::SweepRow&) { return true; });
    for (size_t i = 0; i < left.size(); ++i) {
      if (!lines[i]) continue;
      const auto ms = search_.book.timeOf(*lines[i]);
      if (!ms) ++failed_;
      if (ms && (!bestMs_ || *ms < *bestMs_)) bestMs_ = ms;
      if (!ms && firstFailure_.empty()) firstFailure_ = search_.book.cell(*lines[i], "reason");
      search_tree_->tell(left[i], ms);
    }
  }

  /// The candidates of the batch that are worth timing.
  std::vector<size_t> loaded(const std::vector<size_t>& batch) {
    std::vector<size_t> unknown;
    std::vector<std::optional<lab::MachineCode>> codes(candidates_.legal.size());
    for (const size_t one : batch) {
      for (const char* stage : {"load", "brief"}) {
        const auto* known = search_.book.find(stage, sizes_, tunables(one));
        if (known && !codes[one]) codes[one] = search_.book.machineCodeOf(*known);
      }
      if (!codes[one]) unknown.push_back(one);
    }
    const Lines lines = stage(
        "load", "compiling " + search_tree_->stage(), unknown,
        [](lab::Experiment& experiment) { experiment.loadOnly = true; },
        [](const lab::SweepRow& row) { return row.status != lab::SweepRow::Status::ok; });
    std::vector<size_t> left;
    std::set<size_t> refused;
    for (size_t i = 0; i < unknown.size(); ++i) {
      if (lines[i]) codes[unknown[i]] = search_.book.machineCodeOf(*lines[i]);
      if (lines[i] && search_.book.cell(*lines[i], "status") != "ok") {
        refused.insert(unknown[i]);
        ++(search_.book.cell(*lines[i], "status") == "failed" ? failed_ : dropped_);
        if (firstFailure_.empty()) firstFailure_ = search_.book.cell(*lines[i], "reason");
      }
    }
    for (const size_t one : batch) {
      if (codes[one]) note(one, *codes[one]);
    }
    for (const size_t one : batch) {
      if (refused.contains(one)) continue;
      const std::string why =
          codes[one] ? lab::pruneByMachineCode(candidates_.legal[one], *codes[one], search_.device,
                                               someSpillNothing_, someHaveWarps_)
                     : "";
      if (why.empty())
        left.push_back(one);
      else
        dropLoaded(one, why, *codes[one]);
    }
    return left;
  }

  void note(size_t candidate, const lab::MachineCode& code) {
    someSpillNothing_ |= code.localBytes == 0;
    const auto warps = lab::warpsOf(candidates_.legal[candidate], code.sharedBytes, code.registers,
                                    search_.device);
    someHaveWarps_ |= warps && *warps >= lab::kLeastWarps;
  }

  void dropLoaded(size_t candidate, const std::string& why, const lab::MachineCode& code) {
    lab::RunResult result;
    result.registers = code.registers;
    result.localBytes = code.localBytes;
    result.sharedBytes = code.sharedBytes;
    drop("load", candidate, why, &result);
  }

  std::optional<lab::SweepLine> stoppedBest() {
    const auto best = search_tree_->best();
    say(stoppedText(search_, sizes_, tally(),
                    best ? std::optional(BestChoice{tunables(*best), *bestMs_}) : std::nullopt));
    return std::nullopt;
  }

  /// Measures the fastest candidates longer, then checks them in turn until one is correct.
  std::optional<lab::SweepLine> finals() {
    inFinals_ = true;
    const std::vector<size_t> finalists = search_tree_->finalists(default_);
    if (finalists.empty()) {
      search_.ended = workError("no choice for " + where() + " could be timed" +
                                (firstFailure_.empty() ? "" : ": " + firstFailure_));
      return std::nullopt;
    }
    const Lines lines = stage(
        "full", "measuring the fastest longer", finalists,
        [](lab::Experiment& experiment) { experiment.thorough = true; },
        [](const lab::SweepRow&) { return true; });
    std::vector<std::pair<double, size_t>> order;
    for (size_t i = 0; i < finalists.size(); ++i) {
      const auto ms = lines[i] ? search_.book.timeOf(*lines[i]) : std::nullopt;
      if (ms) order.emplace_back(*ms, i);
      if (ms && default_ == finalists[i]) defaultMs_ = ms;
    }
    if (search_.stopped()) return stoppedBest();
    std::ranges::sort(order);
    for (const auto& [ms, i] : order) {
      if (isRight(finalists[i])) return won(finalists[i], ms, *lines[i]);
      if (search_.stopped()) return std::nullopt;
    }
    search_.ended = workError("none of the fastest choices for " + where() +
                              " gives a right result; run one with --check to see how it fails");
    return std::nullopt;
  }

  bool isRight(size_t candidate) {
    bool unchecked = false;
    const Lines lines = stage(
        "check", "checking the fastest", {candidate},
        [](lab::Experiment& experiment) {
          experiment.check = true;
          experiment.measure = false;
        },
        [&](const lab::SweepRow& row) {
          unchecked = compile::isCheckable(spec_) && row.result && !row.result->check;
          return !unchecked;
        });
    if (!lines[0] || search_.stopped()) return false;
    if (!unchecked && search_.book.cell(*lines[0], "status") == "ok") return true;
    search_.wrong = true;
    say("tilestep: " + nameOf(candidate) + " is fast but " +
        (unchecked ? "was not checked by its worker"
                   : "wrong: " + search_.book.cell(*lines[0], "reason")));
    return false;
  }

  std::optional<lab::SweepLine> won(size_t winner, double ms, const lab::SweepLine& line) {
    const BestChoice choice{tunables(winner), ms};
    search_.winners.push_back(choice.tunables);
    say(wonText(tally(), choice, defaultMs_, default_ == winner) +
        keepBest(search_, sizes_, tally(), choice));
    return line;
  }

  BestSearch& search_;
  const compile::KernelSpec& spec_;
  compile::Bindings sizes_;
  lab::Candidates candidates_;
  double seconds_;  ///< For the search; 0: as long as it takes.
  Clock::time_point started_ = Clock::now();
  std::optional<lab::TuneSearch> search_tree_;
  std::optional<size_t> default_;
  std::optional<double> bestMs_, defaultMs_;
  std::string firstFailure_, stage_;
  uint64_t notCompiled_ = 0, dropped_ = 0, failed_ = 0;
  bool someSpillNothing_ = false, someHaveWarps_ = false, inFinals_ = false;
  StatusLine line_;
};

}  // namespace

std::optional<lab::SweepLine> searchAt(BestSearch& search, const compile::Bindings& sizes,
                                       lab::Candidates candidates, double seconds) {
  return SizeSearch(search, sizes, std::move(candidates), seconds).run();
}

}  // namespace tilestep::app
