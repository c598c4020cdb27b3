// SPDX-License-Identifier: Apache-2.0
#include "features/exercises/attempt.h"

#include <algorithm>

namespace tilestep::features {
namespace {

constexpr uint64_t kHiddenSeed = 20;    ///< Differs from the seed of the shown launch.
constexpr double kTimeoutSeconds = 20;  ///< For each launch.

}  // namespace

Attempt::Attempt(const Exercise& exercise, const compile::CatalogueEntry& entry)
    : begun_(true), source_(entry.source), all_(exercise.hidden.size()) {
  if (entry.error) take(*entry.error);
}

bool Attempt::isOf(const compile::CatalogueEntry& entry) const {
  return begun_ && source_.text == entry.source.text && source_.entry == entry.source.entry;
}

std::optional<lab::Experiment> Attempt::next(const Exercise& exercise) const {
  if (!begun_ || cancelled_ || isOver() || done_ >= exercise.hidden.size()) return std::nullopt;
  lab::Experiment experiment;
  experiment.source = source_;
  experiment.sizes = exercise.hidden[done_].sizes;
  experiment.tunables = exercise.hidden[done_].tunables;
  experiment.device = "simt";
  experiment.seed = kHiddenSeed;
  experiment.measure = false;
  experiment.check = true;
  experiment.timeoutSeconds = kTimeoutSeconds;
  return experiment;
}

AttemptView Attempt::view() const {
  using State = AttemptView::State;
  AttemptView view;
  view.done = done_;
  view.all = all_;
  if (!begun_) return view;
  view.state = cancelled_                      ? State::cancelled
               : !isOver()                     ? State::running
               : judgement_.clean()            ? State::passed
               : judgement_.failures().empty() ? State::unjudged
                                               : State::failed;
  if (view.state != State::failed && view.state != State::unjudged) return view;
  view.text = lab::failuresText(judgement_, judgement_.launches());
  const std::string unknown = lab::unknownText(judgement_);
  view.text += (view.text.empty() || unknown.empty() ? "" : " ") + unknown;
  for (const lab::Criterion criterion : judgement_.failures())
    if (view.line == 0) view.line = judgement_.lineOf(criterion);
  return view;
}

}  // namespace tilestep::features
