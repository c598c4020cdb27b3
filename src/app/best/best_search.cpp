// SPDX-License-Identifier: Apache-2.0
#include "app/best/best_search.h"

#include <chrono>
#include <cstdio>

#include "app/environment.h"
#include "app/sweep_progress.h"
#include "base/figure.h"
#include "base/files.h"
#include "base/utc.h"
#include "compile/front_matter/tunable_values.h"
#include "lab/points/points_file.h"
#include "lab/recording/recording.h"
#include "lab/recording/recording_make.h"

namespace tilestep::app {
namespace {

using Clock = std::chrono::steady_clock;
using Stage = lab::Tuner::Stage;

double secondsSince(Clock::time_point then) {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

std::string milliseconds(double ms) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g ms", ms);
  return text;
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
        where_(search.kernel.spec.name + " at " + lab::pointText(sizes_, {})),
        tuner_({search.kernel.source, search.kernel.spec, search.device, sizes_},
               std::move(candidates), optionsOf(search, sizes_)),
        seconds_(seconds) {}

  /// The winner's line; absent if none was found or the search was interrupted.
  std::optional<lab::SweepLine> run() {
    const lab::TuneTally tally = tuner_.tally();
    say("tilestep: " + where_ + " on " + search_.device.name + ": " + grouped(tally.legal) +
        " of " + grouped(tally.combinations) + " combinations are legal" +
        (tally.notCompiled > 0
             ? "; " + grouped(tally.notCompiled) + " cannot be good and are not compiled"
             : ""));
    while (tuner_.outcome() == nullptr && !search_.stopped()) {
      writeDrops();
      if (!takeKnown()) runWanted();
      if (isTimeUp()) tuner_.endTiming();
    }
    writeDrops();
    if (tuner_.outcome() == nullptr) {
      sayStopped();
      return std::nullopt;
    }
    const Result<lab::Tuned>& best = *tuner_.outcome();
    if (best) return won(*best);
    search_.ended = workError("for " + where_ + ", " + best.error().message);
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

  /// Writes a line for each candidate that was dropped.
  void writeDrops() {
    for (const lab::Tuner::Drop& drop : tuner_.takeDrops()) {
      const std::string stage = drop.code ? "load" : "plan";
      const compile::Bindings tunables = tuner_.tunables(drop.candidate);
      if (search_.book.find(stage, sizes_, tunables) != nullptr) continue;
      lab::SweepRow row;
      row.status = lab::SweepRow::Status::skipped;
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
      search_.book.add(stage, row);
    }
  }

  /// The file's answer for a candidate at this stage. A compiled candidate has no separate line;
  /// its machine code is in its lines of later stages, or in the line that says why it was dropped.
  [[nodiscard]] std::optional<lab::TuneAnswer> known(size_t candidate) const {
    const auto answerAt = [&](Stage stage) {
      const auto* line = search_.book.find(nameOf(stage), sizes_, tuner_.tunables(candidate));
      return line == nullptr ? std::nullopt : std::optional(search_.book.answerOf(*line));
    };
    std::optional<lab::TuneAnswer> answer = answerAt(tuner_.stage());
    if (tuner_.stage() != Stage::load) return answer;
    if (!answer) {
      answer = answerAt(Stage::brief);
      if (answer && !answer->code) answer.reset();
    }
    if (answer && answer->code) answer->status = lab::SweepRow::Status::ok;
    return answer;
  }

  /// Accepts the file's answers for the wanted candidates; false if there are none.
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
    const bool isOk = answer.status == lab::SweepRow::Status::ok;
    if (tuner_.stage() == Stage::check && !(isOk && answer.checked)) {
      search_.wrong = true;
      say("tilestep: " + lab::pointText({}, tuner_.tunables(candidate)) + " is fast but " +
          (isOk ? "was not checked by its worker" : "wrong: " + answer.reason));
    }
    tuner_.accept(candidate, answer);
  }

  /// Runs the candidates that the stage wants. Those that were interrupted are wanted again.
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
      const lab::SweepRow row = lab::rowOf({}, experiments[index], std::move(outcome));
      const lab::TuneAnswer answer = lab::tuneAnswerOf(row);
      // Compiled candidates have no line, nor have runs that must be repeated.
      const bool isWritten = stage == Stage::load    ? row.status != lab::SweepRow::Status::ok
                             : stage == Stage::check ? !row.result || answer.checked
                                                     : true;
      if (isWritten) search_.book.add(nameOf(stage), row);
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
    std::string text = where_ + ": " + progress.doing + ", " + std::to_string(progress.done) +
                       " of " + std::to_string(progress.all);
    if (const auto best = tuner_.fastest())
      text +=
          " · best " + milliseconds(best->second) + " (" + lab::pointText({}, best->first) + ")";
    text += " · " + roughly(secondsSince(started_));
    if (seconds_ > 0) text += " of " + roughly(seconds_);
    line_.show(text, detail_);
  }

  void sayStopped() const {
    const lab::TuneTally tally = tuner_.tally();
    std::string text = "tilestep: interrupted, " + where_ + ": " + grouped(tally.timed) +
                       " timed of " + grouped(tally.legal) + " legal";
    if (const auto best = tuner_.fastest())
      text += "; the fastest so far is " + lab::pointText({}, best->first) + " with " +
              milliseconds(best->second) + ", briefly timed and not checked";
    say(text);
  }

  lab::SweepLine won(const lab::Tuned& best) {
    search_.winners.push_back(best.tunables);
    const lab::TuneTally tally = tuner_.tally();
    const bool isDefault = best.tunables == compile::defaultTunables(search_.kernel.spec);
    say("tilestep: best of " + lab::searchedText(best) + " (" + grouped(tally.dropped) +
        " dropped" + (tally.failed > 0 ? ", " + grouped(tally.failed) + " failed" : "") +
        "): " + lab::pointText({}, best.tunables) + ", " + milliseconds(best.medianMs) +
        (isDefault ? ": the defaults" : tuner_.gainText()) + "; " + checkText() + "; " +
        keep(best));
    return *search_.book.find(nameOf(Stage::full), sizes_, best.tunables);
  }

  [[nodiscard]] std::string checkText() const {
    const compile::KernelSpec& spec = search_.kernel.spec;
    if (!spec.reference.empty()) return "its result agrees with float64";
    return compile::isCheckable(spec) ? "its result is what the kernel expects"
                                      : "the kernel names no reference to check it against";
  }

  /// Keeps the winner (lab/tune/tuned.h) unless --set excluded choices. Returns the report: "kept:
  /// tilestep run …".
  std::string keep(lab::Tuned winner) {
    // The winner of a restricted search is not the best known choice.
    if (!search_.axes.tunables.empty()) return "not kept, because --set left choices out";
    if (search_.devices.size() > 1) return "not kept, because several devices answered";
    const std::filesystem::path state = stateFolder();
    if (state.empty()) return "there is no folder to keep it in";
    winner.day = utcToday();
    const Result<lab::Database> own = lab::openPoints(lab::pointsFileIn(state));
    const auto kept = own ? lab::keepTuned(*own, search_.kernel.spec, winner) : own.error();
    if (!kept) {
      search_.wrong = true;
      return "not kept: " + kept.error().message;
    }
    if (const std::optional<lab::Tuned>& older = *kept) {
      return "not kept, because the older one remains, " + lab::pointText({}, older->tunables) +
             " with " + milliseconds(older->medianMs) + " (" + lab::searchedText(*older) + ", " +
             older->day + ")";
    }
    return "kept: tilestep run " + search_.options.kernel + " --tuned";
  }

  BestSearch& search_;
  compile::Bindings sizes_;
  std::string where_;  ///< "rung13_top at m 1024, n 1024, k 1024"
  lab::Tuner tuner_;
  double seconds_;  ///< For the search; 0 if there is no limit.
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
