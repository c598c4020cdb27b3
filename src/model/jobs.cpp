// SPDX-License-Identifier: Apache-2.0
#include "model/jobs.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "base/percent.h"
#include "model/text/stopped_launch.h"
#include "worker/messages.h"

namespace tilestep::model {
namespace {

bool isPatient(Urgency urgency) {
  return urgency >= Urgency::timeline;
}

bool givesWay(Urgency urgency) {
  return urgency >= Urgency::lesson;
}

}  // namespace

Request::Request(lab::Experiment asked) {
  const std::vector<std::byte> message = worker::encode({0, worker::RunRequest{asked}});
  // Two hashes, to prevent two experiments of a session from sharing a key by chance.
  key = hex64(fnv1a64(message)) + hex64(fnv1a64(message, splitmix64(message.size())));
  experiment = std::make_shared<const lab::Experiment>(std::move(asked));
}

Jobs::State& Jobs::at(const Job& job) {
  const auto known =
      std::ranges::find_if(states_, [&](const State& one) { return one.job.name == job.name; });
  if (known != states_.end()) return *known;
  const auto behind = std::ranges::find_if(
      states_, [&](const State& one) { return one.job.urgency > job.urgency; });
  return *states_.insert(behind, State{job, {}, {}});
}

const Jobs::State* Jobs::find(const Job& job) const {
  const auto known =
      std::ranges::find_if(states_, [&](const State& one) { return one.job.name == job.name; });
  return known == states_.end() ? nullptr : &*known;
}

void Jobs::want(const Job& job, Request request, double notBefore) {
  State& state = at(job);
  if (state.waiting && state.waiting->request.key == request.key) return;
  if (state.running && !state.running->again && state.running->sent.request.key == request.key) {
    state.waiting.reset();
    return;
  }
  if (state.running && client_) client_->cancel(state.running->id);
  state.running.reset();
  state.waiting = Waiting{std::move(request), notBefore};
}

void Jobs::drop(const Job& job) {
  State& state = at(job);
  state.waiting.reset();
  if (state.running && client_) client_->cancel(state.running->id);
  state.running.reset();
}

void Jobs::askCeilings(const std::string& device) {
  const auto same = [&](const Question& question) {
    return question.asker == "ceilings" && question.key == device;
  };
  if (std::ranges::any_of(questions_, same)) return;
  if (std::ranges::find(ceilingsWanted_, device) == ceilingsWanted_.end())
    ceilingsWanted_.push_back(device);
}

void Jobs::askPtx(std::string_view who, const std::string& key, const lab::Experiment& experiment) {
  ptxWanted_ = PtxQuestion{std::string(who), key, experiment};
}

/// Long jobs must not delay the scene, and live mode must not delay any other job.
void Jobs::interrupt(State& state) {
  if (!state.running || state.running->again) return;
  client_->cancel(state.running->id);
  state.running->again = true;
}

bool Jobs::asks() const {
  return devicesWanted_ || !ceilingsWanted_.empty() || ptxWanted_;
}

bool Jobs::isPossible(const State& state, double now) const {
  if (!state.waiting || state.waiting->notBefore > now) return false;
  if (isPatient(state.job.urgency) && busyBefore(state.job)) return false;
  if (state.job.urgency == Urgency::live) return questions_.empty() && !asks();
  // If another job already runs the experiment, its reply also answers this job.
  return std::ranges::none_of(states_, [&](const State& other) {
    return other.running && !other.running->again && other.job.urgency != Urgency::live &&
           other.running->sent.request.key == state.waiting->request.key;
  });
}

void Jobs::send(double now) {
  if (asks())
    for (State& state : states_)
      if (state.job.urgency == Urgency::live) interrupt(state);
  if (std::exchange(devicesWanted_, false))
    questions_.push_back({client_->devices(), "devices", {}});
  for (State& state : states_) {
    if (!isPossible(state, now)) continue;
    for (State& later : states_)
      if (givesWay(later.job.urgency) && state.job.urgency < later.job.urgency) interrupt(later);
    const lab::Experiment& experiment = *state.waiting->request.experiment;
    const bool live = state.job.urgency == Urgency::live;
    const uint64_t id = live ? client_->live(experiment) : client_->run(experiment);
    state.running = Running{id, std::move(*state.waiting), false};
    state.waiting.reset();
  }
  for (const std::string& device : std::exchange(ceilingsWanted_, {}))
    questions_.push_back({client_->ceilings(device), "ceilings", device});
  if (ptxWanted_)
    questions_.push_back(
        {client_->ptx(ptxWanted_->experiment, false), ptxWanted_->asker, ptxWanted_->key});
  ptxWanted_.reset();
}

/// Removes the counts of a launch that a fault stopped, so that no job receives them.
void Jobs::accept(worker::Reply reply, std::vector<Arrival>& to) {
  if (auto* result = std::get_if<lab::ResultPointer>(&reply.body))
    *result = withoutCountsIfStopped(std::move(*result));
  for (State& state : states_) {
    if (!state.running || state.running->id != reply.id) continue;
    Running running = std::move(*state.running);
    state.running.reset();
    if (running.again && std::holds_alternative<Error>(reply.body)) {
      if (!state.waiting) state.waiting = std::move(running.sent);
      return;
    }
    for (State& other : states_) {
      if (!other.waiting || other.waiting->request.key != running.sent.request.key) continue;
      if (state.job.urgency == Urgency::live || other.job.urgency == Urgency::live) continue;
      other.waiting.reset();
      to.push_back({std::string(other.job.name), false, running.sent.request.key, reply});
    }
    to.push_back({std::string(state.job.name), false, running.sent.request.key, std::move(reply)});
    return;
  }
  const auto question = std::ranges::find(questions_, reply.id, &Question::id);
  if (question == questions_.end()) return;  // The question was cancelled or superseded.
  to.push_back({question->asker, true, question->key, std::move(reply)});
  questions_.erase(question);
}

std::vector<Arrival> Jobs::poll(double now) {
  std::vector<Arrival> arrivals;
  if (!client_) return arrivals;
  send(now);
  while (std::optional<worker::Reply> reply = client_->poll()) accept(std::move(*reply), arrivals);
  if (const std::optional<worker::Progress> progress = client_->progress()) {
    stage_ = progress->stage;
    if (progress->fraction) stage_ += " " + wholePercent(*progress->fraction);
  }
  if (!busy()) stage_.clear();
  return arrivals;
}

bool Jobs::waitsOrRuns(const Job& job) const {
  const State* state = find(job);
  return state != nullptr && (state->waiting || state->running);
}

bool Jobs::busyBefore(const Job& job) const {
  for (const State& earlier : states_) {
    if (earlier.job.name == job.name || earlier.job.urgency > job.urgency) return false;
    if (earlier.waiting || earlier.running) return true;
  }
  return false;
}

bool Jobs::busy() const {
  const auto works = [](const State& state) {
    return state.job.urgency != Urgency::live && (state.waiting || state.running);
  };
  return std::ranges::any_of(states_, works) || !questions_.empty();
}

bool Jobs::streams() const {
  return std::ranges::any_of(states_, [](const State& state) {
    return state.job.urgency == Urgency::live && (state.waiting || state.running);
  });
}

Jobs::Samples Jobs::takeSamples(const Job& job) {
  Samples samples;
  const State* live = find(job);
  if (!client_ || live == nullptr || !live->running || live->running->again) return samples;
  samples.fresh = sampledId_ != live->running->id;
  while (std::optional<device::LiveBatch> batch = client_->samples(live->running->id))
    samples.batches.push_back(std::move(*batch));
  if (!samples.batches.empty()) sampledId_ = live->running->id;
  return samples;
}

std::optional<double> Jobs::nextDue(double now) const {
  std::optional<double> due;
  if (!client_) return due;
  for (const State& state : states_) {
    if (!state.waiting || state.job.urgency == Urgency::live) continue;
    if (state.waiting->notBefore <= now && !isPossible(state, now)) continue;
    due = std::min(due.value_or(state.waiting->notBefore), state.waiting->notBefore);
  }
  return due;
}

}  // namespace tilestep::model
