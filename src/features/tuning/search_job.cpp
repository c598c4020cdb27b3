// SPDX-License-Identifier: Apache-2.0
#include "features/tuning/search_job.h"

#include <chrono>
#include <cmath>
#include <utility>

#include "base/figure.h"
#include "base/sentence.h"
#include "base/utc.h"
#include "lab/recording/recording.h"
#include "lab/sweep.h"
#include "model/choice/planning.h"
#include "model/text/traffic.h"

namespace tilestep::features {
namespace {

constexpr Job kJob{TuningView::kFeature, Urgency::sweep};
constexpr int kMostLostWorkers = 3;  ///< In a row.

std::string textOfMs(double ms) {
  return toText(ms * 1e-3, Unit::seconds);
}

void say(Model& model, Notice::Kind kind, std::string text) {
  model.say({kind, kTunedNotice, std::move(text), {}, {}});
}

void sayFailed(Model& model, const std::string& why) {
  say(model, Notice::Kind::warning, "The search found no best tunables: " + asSentence(why));
}

}  // namespace

void chooseTunables(Model& model, const std::string& what, const compile::Bindings& tunables) {
  model.change(what, [&](Choice& choice) {
    const Choice before = choice;
    for (const auto& [name, value] : tunables) choice.tunables[choice.kernel][name] = value;
    const Resolved& resolved = *model.resolved;
    if (resolved.isUsable())
      followOutgrownTile(before, choice, *resolved.entry->spec, resolved.sceneLimits);
  });
}

void chooseBest(Model& model, const compile::Bindings& tunables) {
  model.endGesture();
  chooseTunables(model, "best known", tunables);
  model.endGesture();
}

bool SearchJob::isPossible(const Resolved& resolved) {
  return resolved.isLive() && resolved.isUsable() && !resolved.entry->spec->tunables.empty();
}

bool SearchJob::start(Model& model, std::optional<compile::Bindings> earlier) {
  const Resolved& resolved = *model.resolved;
  if (search_ || listing_.valid() || !isPossible(resolved)) return false;
  lab::TuneSubject subject{resolved.entry->source, *resolved.entry->spec, *resolved.device,
                           resolved.measureSizes};
  lab::Tuner::Options options;
  if (earlier) options.first.push_back(std::move(*earlier));
  listing_ = std::async(std::launch::async, [subject = std::move(subject), options]() mutable {
    using Begun = Result<std::unique_ptr<lab::Tuner>>;
    auto legal = lab::candidatesOf(subject.spec, subject.sizes, {}, subject.device.limits);
    if (!legal) return Begun(legal.error());
    return Begun(std::make_unique<lab::Tuner>(std::move(subject), std::move(*legal), options));
  });
  ran_ = 0;
  lostInARow_ = 0;
  model.clearNotice(kTunedNotice);
  model.changed = true;
  return true;
}

void SearchJob::stop(Model& model) {
  search_.reset();
  listing_ = {};  // Waits for the list, which takes at most a second.
  asked_.clear();
  model.jobs.drop(kJob);
  model.changed = true;
}

void SearchJob::cancel(Model& model) {
  if (!runs()) return;
  std::string text = "The search for the best tunables was cancelled.";
  if (const auto fastest = search_ ? search_->fastest() : std::nullopt)
    text += " The fastest so far was " + lab::pointText({}, fastest->first) + " with " +
            textOfMs(fastest->second) + ", timed briefly and not checked.";
  stop(model);
  say(model, Notice::Kind::info, text);
}

void SearchJob::accept(const Arrival& arrival, Model& model) {
  if (!search_ || arrival.key != asked_) return;
  countTime(model);
  asked_.clear();
  model.changed = true;
  const auto* result = worker::resultOf(arrival.reply);
  const auto* error = std::get_if<Error>(&arrival.reply.body);
  if (result == nullptr && error == nullptr) return;
  lostInARow_ = error != nullptr && arrival.reply.lost ? lostInARow_ + 1 : 0;
  if (lostInARow_ == kMostLostWorkers) {
    stop(model);
    return sayFailed(model, "the worker was lost three times in a row: " + error->message);
  }
  Result<lab::RunResult> outcome =
      result != nullptr ? Result<lab::RunResult>(*result) : Result<lab::RunResult>(*error);
  search_->accept(search_->wanted().front(),
                  lab::tuneAnswerOf(lab::rowOf({}, {}, std::move(outcome))));
  if (ran_ > kSeconds) search_->endTiming();
}

/// Begins the search once the legal choices are listed.
void SearchJob::takeList(Model& model) {
  using namespace std::chrono_literals;
  if (!listing_.valid() || listing_.wait_for(0s) != std::future_status::ready) return;
  Result<std::unique_ptr<lab::Tuner>> begun = listing_.get();
  if (begun)
    search_ = std::move(*begun);
  else
    sayFailed(model, begun.error().message);
  model.changed = true;
}

/// Does not count the time that the request waits for more urgent ones.
void SearchJob::countTime(const Model& model) {
  if (!model.jobs.busyBefore(kJob)) ran_ += model.now - countedTo_;
  countedTo_ = model.now;
}

void SearchJob::poll(Model& model) {
  takeList(model);
  if (!search_) return;
  if (search_->outcome() != nullptr) return finish(model);
  lab::Experiment wanted;
  wanted.device = search_->subject().device.id;
  const Request request(search_->experimentOf(search_->wanted().front(), std::move(wanted)));
  if (model.jobs.waitsOrRuns(kJob) && asked_ == request.key) return countTime(model);
  asked_ = request.key;
  countedTo_ = model.now;
  model.jobs.want(kJob, request, model.now);
}

/// Stores the best choice, if there is one. Once it is stored, reports and chooses it.
void SearchJob::finish(Model& model) {
  using namespace std::chrono_literals;
  const std::unique_ptr<lab::Tuner>& over = search_;
  if (const Result<lab::Tuned>& found = *over->outcome(); !found) {
    sayFailed(model, found.error().message);
    return stop(model);
  }
  lab::Tuned best = **over->outcome();
  if (!keeping_.valid()) {
    model.jobs.drop(kJob);
    best.day = utcToday();
    keeping_ = model.points->ask<Kept>([spec = over->subject().spec, best](const auto* file) {
      return file == nullptr ? Kept(workError("the file of points cannot be opened"))
                             : lab::keepTuned(*file, spec, best);
    });
    if (model.points->isKept()) model.points->readTunedAgain(best.device);
    model.changed = true;
  }
  if (keeping_.wait_for(0s) != std::future_status::ready) return;
  std::string text = "The fastest of " + lab::searchedText(best) + " choices of " + best.kernel +
                     " at " + sizesText(best.sizes) + " is " + lab::pointText({}, best.tunables) +
                     " with " + textOfMs(best.medianMs) + over->gainText() + ".";
  const Kept kept = keeping_.get();
  if (!model.points->isKept()) {
    text += " It is not kept for the next start.";
  } else if (!kept) {
    text += " It could not be kept: " + asSentence(kept.error().message);
  } else if (*kept) {
    best = **kept;
    text += " An earlier search found " + lab::pointText({}, best.tunables) + " with " +
            textOfMs(best.medianMs) + ", which is faster and stays.";
  } else {
    text += " It is kept; F6 chooses it again.";
  }
  const lab::TuneSubject& of = over->subject();
  const Resolved& now = *model.resolved;
  if (now.isUsable() && now.entry->source.text == of.source.text && now.device != nullptr &&
      now.device->id == of.device.id && now.measureSizes == of.sizes)
    chooseBest(model, best.tunables);
  say(model, Notice::Kind::info, text);
  stop(model);
}

/// The description of a search that has not begun.
std::string SearchJob::offer(const Resolved& resolved) {
  const compile::KernelSpec& spec = *resolved.entry->spec;
  return "Times the legal choices of " + spec.name + " at " + sizesText(resolved.measureSizes) +
         " until all are timed or " + std::to_string(std::lround(kSeconds / 60)) +
         " minutes have passed, measures the fastest of them longer, " +
         (compile::isCheckable(spec)
              ? "checks the result of the best, and chooses it."
              : "and chooses the best. Its result is not checked, because the kernel names no "
                "reference.");
}

TuningSearch SearchJob::view(const Model& model, const Resolved& resolved) const {
  TuningSearch view;
  view.possible = isPossible(resolved);
  view.running = runs();
  if (!search_ || search_->outcome() != nullptr) {
    if (view.running) {
      view.text = "Listing the legal choices.";
    } else if (view.possible) {
      view.text = offer(resolved);
    }
    return view;
  }
  const lab::Tuner::Progress progress = search_->progress();
  view.text = capitalised(progress.doing);
  if (search_->stage() == lab::Tuner::Stage::brief)
    view.text += " (" + grouped(search_->tally().legal) + " choices are legal)";
  if (progress.all > 0 && search_->stage() != lab::Tuner::Stage::check) {
    view.share = static_cast<float>(progress.done) / static_cast<float>(progress.all);
    view.text += ": " + grouped(progress.done) + " of " + grouped(progress.all);
  }
  view.text += ".";
  if (model.jobs.busyBefore(kJob)) view.text += " It waits for more urgent runs.";
  if (const auto fastest = search_->fastest())
    view.text += " The fastest so far: " + lab::pointText({}, fastest->first) + ", " +
                 textOfMs(fastest->second) + ".";
  return view;
}

}  // namespace tilestep::features
