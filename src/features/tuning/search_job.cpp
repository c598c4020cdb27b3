// SPDX-License-Identifier: Apache-2.0
#include "features/tuning/search_job.h"

#include <chrono>
#include <cmath>
#include <utility>

#include "base/factor.h"
#include "base/figure.h"
#include "base/sentence.h"
#include "base/utc.h"
#include "lab/recording/recording.h"
#include "model/choice/planning.h"
#include "model/text/traffic.h"

namespace tilestep::model {
namespace {

constexpr Job kJob{TuningView::kFeature, Urgency::sweep};

std::string textOfMs(double ms) {
  return toText(ms * 1e-3, Unit::seconds);
}

void say(Model& model, Notice::Kind kind, std::string text) {
  model.say({kind, kTunedNotice, std::move(text), {}, {}});
}

void sayFailed(Model& model, const std::string& why) {
  say(model, Notice::Kind::warning, "The search found no best tunables: " + asSentence(why));
}

/// Keeps what was found, or takes what an earlier search found if that is faster; says which.
std::string keep(const Model& model, const compile::KernelSpec& spec, lab::Tuned& best) {
  if (model.options.tunedFolder.empty()) return "It is not kept for the next start.";
  const auto kept = lab::keepTuned(model.options.tunedFolder, spec, best);
  if (!kept) return "It could not be kept: " + asSentence(kept.error().message);
  const std::string note = kept->note.empty() ? "" : " " + asSentence(kept->note);
  if (!kept->older) return "It is kept; F6 chooses it again." + note;
  best = *kept->older;
  return "An earlier search found " + lab::pointText({}, best.tunables) + " with " +
         textOfMs(best.medianMs) + ", which is faster and stays." + note;
}

/// "The fastest of 32 timed of 32 legal choices of matmul_tiled at … is …, 1.3 times faster than
/// the defaults."
std::string foundText(const lab::Tuned& best, std::optional<double> defaultMs) {
  std::string text = "The fastest of " + lab::searchedText(best) + " choices of " + best.kernel +
                     " at " + sizesText(best.sizes) + " is " + lab::pointText({}, best.tunables) +
                     " with " + textOfMs(best.medianMs);
  if (defaultMs)
    text += ", " + factorText(best.medianMs, *defaultMs, kTimeWords) +
            (isNearly(best.medianMs, *defaultMs) ? " as the defaults" : " than the defaults");
  return text + ".";
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
  if (runs() || !isPossible(resolved)) return false;
  SearchSubject subject{resolved.entry->source, *resolved.entry->spec, *resolved.device,
                        resolved.measureSizes, std::move(earlier)};
  listing_ = std::async(std::launch::async, [subject = std::move(subject)]() mutable {
    return TunableSearch::begin(std::move(subject));
  });
  model.clearNotice(kTunedNotice);
  model.changed = true;
  return true;
}

void SearchJob::stop(Model& model) {
  search_.reset();
  listing_ = {};  // Waits for the list, which takes a second at most.
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
  if (const auto* result = worker::resultOf(arrival.reply))
    search_->accept(*result, false, ran_);
  else if (const auto* error = std::get_if<Error>(&arrival.reply.body))
    search_->accept(*error, arrival.reply.lost, ran_);
  model.changed = true;
}

/// Takes over the list of legal choices once it is there.
void SearchJob::takeList(Model& model) {
  using namespace std::chrono_literals;
  if (!listing_.valid() || listing_.wait_for(0s) != std::future_status::ready) return;
  Result<std::unique_ptr<TunableSearch>> begun = listing_.get();
  if (begun)
    search_ = std::move(*begun);
  else
    sayFailed(model, begun.error().message);
  model.changed = true;
}

/// While something more urgent is to run, the request waits.
void SearchJob::countTime(const Model& model) {
  if (!model.jobs.busyBefore(kJob)) ran_ += model.now - countedTo_;
  countedTo_ = model.now;
}

bool SearchJob::poll(Model& model) {
  takeList(model);
  if (!search_) return false;
  const std::optional<lab::Experiment> wanted = search_->wanted();
  if (!wanted) {
    const std::unique_ptr<TunableSearch> over = std::move(search_);
    stop(model);
    finish(model, *over);
    return true;
  }
  const Request request(*wanted);
  const std::string& key = request.key;
  if (model.jobs.waitsOrRuns(kJob) && asked_ == key) {
    countTime(model);
    return false;
  }
  asked_ = key;
  ran_ = 0;
  countedTo_ = model.now;
  model.jobs.want(kJob, request, model.now);
  return false;
}

void SearchJob::finish(Model& model, const TunableSearch& search) {
  const Result<lab::Tuned>& outcome = *search.outcome();
  if (!outcome) return sayFailed(model, outcome.error().message);
  lab::Tuned best = *outcome;
  best.day = utcToday();
  const SearchSubject& of = search.subject();
  std::string text = foundText(best, search.defaultMs());
  text += " " + keep(model, of.spec, best);
  const Resolved& now = *model.resolved;
  if (now.isUsable() && now.entry->source.text == of.source.text && now.device != nullptr &&
      now.device->id == of.device.id && now.measureSizes == of.sizes)
    chooseBest(model, best.tunables);
  say(model, Notice::Kind::info, text);
}

/// What the search would do.
std::string SearchJob::offer(const Resolved& resolved) {
  const compile::KernelSpec& spec = *resolved.entry->spec;
  return "Times the legal choices of " + spec.name + " at " + sizesText(resolved.measureSizes) +
         " until all are timed or " + std::to_string(std::lround(TunableSearch::kSeconds / 60)) +
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
  if (!search_) {
    if (view.running) {
      view.text = "Listing the legal choices.";
    } else if (view.possible) {
      view.text = offer(resolved);
    }
    return view;
  }
  const TunableSearch::Progress progress = search_->progress();
  view.text = progress.doing;
  if (progress.all > 0) {
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

}  // namespace tilestep::model
