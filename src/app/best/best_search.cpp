// SPDX-License-Identifier: Apache-2.0
#include "app/best/best_search.h"

#include <algorithm>
#include <chrono>

#include "app/best/best_report.h"
#include "app/environment.h"
#include "app/sweep_progress.h"
#include "base/files.h"
#include "lab/recording/recording.h"

namespace tilestep::app {
namespace {

using Clock = std::chrono::steady_clock;
using Stage = lab::Tuner::Stage;

double secondsSince(Clock::time_point then) {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

/// In the file's column "stage".
const char* nameOf(Stage stage) {
  constexpr const char* kNames[] = {"load", "brief", "full", "check", ""};
  return kNames[static_cast<size_t>(stage)];
}

/// The search at one choice of sizes: makes the runs that lab::Tuner requests, and writes a line
/// for each step.
class SizeSearch {
 public:
  SizeSearch(BestSearch& search, compile::Bindings sizes, lab::Candidates candidates,
             double seconds)
      : search_(search),
        sizes_(std::move(sizes)),
        tuner_({search.kernel.source, search.kernel.spec, search.device, sizes_},
               std::move(candidates), optionsOf(search, sizes_)),
        seconds_(seconds) {}

  /// The winner's line; absent if none was found or the search was interrupted.
  std::optional<lab::SweepLine> run() {
    say(candidatesText(search_, sizes_, tuner_.tally()));
    while (tuner_.outcome() == nullptr && !search_.stopped()) {
      writeDrops();
      if (!takeKnown()) runWanted();
      if (isTimeUp()) tuner_.endTiming();
    }
    writeDrops();
    if (tuner_.outcome() == nullptr) {
      say(stoppedText(search_, sizes_, tuner_.tally(), tuner_.fastest()));
      return std::nullopt;
    }
    const Result<lab::Tuned>& best = *tuner_.outcome();
    if (best) return won(*best);
    search_.ended = workError("for " + whereText(search_, sizes_) + ", " + best.error().message);
    return std::nullopt;
  }

 private:
  static lab::Tuner::Options optionsOf(const BestSearch& search, const compile::Bindings& sizes) {
    lab::Tuner::Options options{.seed = search.options.experiment.seed,
                                .prunes = !search.options.all,
                                .loads = !search.options.all,
                                .first = search.winners};
    if (const auto home = findHome()) {
      const lab::DeviceTuned known = lab::tunedHere(*home, search.device.name);
      if (!known.damage.empty()) say("tilestep: " + known.damage);
      const auto best = lab::bestTuned(search.kernel.spec, search.code, sizes, known);
      if (best) options.first.push_back(best->tunables);
    }
    return options;
  }

  [[nodiscard]] bool isTimeUp() const {
    return seconds_ > 0 && tuner_.fastest() && secondsSince(started_) > seconds_;
  }
  [[nodiscard]] bool isTiming() const {
    return tuner_.stage() == Stage::load || tuner_.stage() == Stage::brief;
  }
  [[nodiscard]] const lab::SweepLine* lineOf(Stage stage, size_t candidate) const {
    return search_.book.find(nameOf(stage), sizes_, tuner_.tunables(candidate));
  }

  /// Writes a line for each candidate that was dropped.
  void writeDrops() {
    for (const lab::Tuner::Drop& drop : tuner_.takeDrops()) {
      const std::string stage = drop.code ? "load" : "plan";
      const compile::Bindings tunables = tuner_.tunables(drop.candidate);
      if (search_.book.find(stage, sizes_, tunables) != nullptr) continue;
      lab::SweepRow row;
      row.status = lab::SweepRow::Status::skipped;
      row.kernel = search_.kernel.spec.name;
      row.device = search_.device.id;
      row.sizes = sizes_;
      row.tunables = tunables;
      row.reason = drop.why;
      if (drop.code) {
        row.result.emplace();
        row.result->registers = drop.code->registers;
        row.result->localBytes = drop.code->localBytes;
        row.result->sharedBytes = drop.code->sharedBytes;
      }
      search_.book.add(search_.book.cellsOf(stage, row));
    }
  }

  /// The book's answer for a candidate at this stage. Compiled candidates have no separate line:
  /// their machine code is in the lines of later stages, or of their drop.
  [[nodiscard]] std::optional<lab::TuneAnswer> known(size_t candidate) const {
    const lab::SweepLine* line = lineOf(tuner_.stage(), candidate);
    if (tuner_.stage() != Stage::load)
      return line == nullptr ? std::nullopt : std::optional(search_.book.answerOf(*line));
    for (const lab::SweepLine* one : {line, lineOf(Stage::brief, candidate)}) {
      if (one == nullptr) continue;
      lab::TuneAnswer answer = search_.book.answerOf(*one);
      if (answer.code) answer.status = lab::SweepRow::Status::ok;
      if (answer.code || one == line) return answer;
    }
    return std::nullopt;
  }

  /// False if the book has no answer for the stage's requests.
  bool takeKnown() {
    bool any = false;
    for (const size_t candidate : std::vector(tuner_.wanted())) {
      const auto answer = known(candidate);
      if (answer) accept(candidate, *answer);
      any |= answer.has_value();
    }
    return any;
  }

  void accept(size_t candidate, const lab::TuneAnswer& answer) {
    const bool isRight = answer.status == lab::SweepRow::Status::ok && answer.checked;
    if (tuner_.stage() == Stage::check && !isRight) {
      search_.wrong = true;
      say("tilestep: " + lab::pointText({}, tuner_.tunables(candidate)) + " is fast but " +
          (answer.status == lab::SweepRow::Status::ok ? "was not checked by its worker"
                                                      : "wrong: " + answer.reason));
    }
    tuner_.accept(candidate, answer);
  }

  /// Runs what the stage wants. Candidates that were cut off are wanted again.
  void runWanted() {
    const Stage stage = tuner_.stage();
    const std::vector<size_t> wanted = tuner_.wanted();
    std::vector<lab::Experiment> experiments;
    for (const size_t candidate : wanted)
      experiments.push_back(tuner_.experimentOf(candidate, search_.options.experiment));
    worker::Crew::Events events;
    events.interrupted = [&] { return interrupted() || (isTiming() && isTimeUp()); };
    events.left = [&](const Error& why) {
      line_.clear();
      say("tilestep: the search continues without one worker: " + why.message);
    };
    events.tick = [&](size_t /*finished*/, const auto& news) { showProgress(news); };
    events.done = [&](size_t index, Result<lab::RunResult> outcome) {
      if (outcome) search_.devices.insert(outcome->device.name);
      const lab::SweepRow row =
          lab::rowOf(search_.kernel.spec.name, experiments[index], std::move(outcome));
      const lab::TuneAnswer answer = lab::tuneAnswerOf(row);
      const bool isOk = row.status == lab::SweepRow::Status::ok;
      // Compiled candidates have no line, nor have runs that must be repeated.
      const bool isWritten = stage == Stage::load    ? !isOk
                             : stage == Stage::check ? !row.result || answer.checked
                                                     : true;
      if (isWritten) search_.book.add(search_.book.cellsOf(nameOf(stage), row));
      line_.clear();
      accept(wanted[index], answer);
    };
    const Status ended = search_.crew.run(experiments, 0, events);
    if (!ended) search_.ended = ended;
    line_.clear();
  }

  void showProgress(const std::optional<worker::Progress>& news) {
    if (news) detail_ = progressText(*news);
    if (!line_.due()) return;
    const lab::Tuner::Progress progress = tuner_.progress();
    std::string text = whereText(search_, sizes_) + ": " + progress.doing + ", " +
                       std::to_string(progress.done) + " of " + std::to_string(progress.all);
    if (const auto best = tuner_.fastest())
      text +=
          " · best " + milliseconds(best->second) + " (" + lab::pointText({}, best->first) + ")";
    text += " · " + roughly(secondsSince(started_));
    if (seconds_ > 0) text += " of " + roughly(seconds_);
    line_.show(text, detail_);
  }

  std::optional<lab::SweepLine> won(const lab::Tuned& best) {
    search_.winners.push_back(best.tunables);
    say(wonText(search_, tuner_.tally(), best, tuner_.defaultMs()) + keepBest(search_, best));
    return *search_.book.find(nameOf(Stage::full), sizes_, best.tunables);
  }

  BestSearch& search_;
  compile::Bindings sizes_;
  lab::Tuner tuner_;
  double seconds_;  ///< For the search; 0: as long as it takes.
  Clock::time_point started_ = Clock::now();
  std::string detail_;
  StatusLine line_;
};

}  // namespace

std::optional<lab::SweepLine> searchAt(BestSearch& search, const compile::Bindings& sizes,
                                       lab::Candidates candidates, double seconds) {
  return SizeSearch(search, sizes, std::move(candidates), seconds).run();
}

}  // namespace tilestep::app
