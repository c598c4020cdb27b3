// SPDX-License-Identifier: Apache-2.0
#include "model/requests.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "base/percent.h"
#include "worker/messages.h"

namespace tilestep::model {
namespace {

constexpr std::array<Slot, kSlots> kByUrgency{
    Slot::sceneMain, Slot::sceneCompanion, Slot::measureMain, Slot::measureCompanion,
    Slot::reference, Slot::timeline,       Slot::library,     Slot::lesson,
    Slot::count,     Slot::sweep,          Slot::live};

/// Those that only run while nothing more urgent is asked for.
bool isPatient(Slot slot) {
  return slot >= Slot::timeline;
}

}  // namespace

std::string keyOf(const lab::Experiment& experiment) {
  const std::vector<std::byte> request = worker::encode({0, worker::RunRequest{experiment}});
  // Two hashes, so that no two experiments of a session share a key by chance.
  return hex64(fnv1a64(request)) + hex64(fnv1a64(request, splitmix64(request.size())));
}

void Requests::want(Slot slot, lab::Experiment experiment, double notBefore) {
  State& state = at(slot);
  std::string key = keyOf(experiment);
  if (state.waiting && state.waiting->key == key) return;
  if (state.running && !state.running->again && state.running->request.key == key) {
    state.waiting.reset();
    return;
  }
  if (state.running && client_) client_->cancel(state.running->id);
  state.running.reset();
  state.waiting = Waiting{std::move(experiment), std::move(key), notBefore};
}

void Requests::drop(Slot slot) {
  State& state = at(slot);
  state.waiting.reset();
  if (state.running && client_) client_->cancel(state.running->id);
  state.running.reset();
}

void Requests::askCeilings(const std::string& device) {
  const auto same = [&](const Question& question) { return question.key == device; };
  if (std::ranges::any_of(questions_, same)) return;
  if (std::ranges::find(ceilingsWanted_, device) == ceilingsWanted_.end())
    ceilingsWanted_.push_back(device);
}

void Requests::askPtx(const std::string& key, const lab::Experiment& experiment) {
  ptxWanted_ = {"ptx " + key, experiment};
}

/// What takes long must not keep the scene waiting, and live mode nothing.
void Requests::interrupt(Slot slot) {
  State& state = at(slot);
  if (!state.running || state.running->again) return;
  client_->cancel(state.running->id);
  state.running->again = true;
}

bool Requests::asks() const {
  return devicesWanted_ || !ceilingsWanted_.empty() || ptxWanted_;
}

void Requests::send(double now) {
  if (asks()) interrupt(Slot::live);
  if (std::exchange(devicesWanted_, false)) questions_.push_back({client_->devices(), "devices"});
  for (const Slot slot : kByUrgency) {
    State& state = at(slot);
    if (!state.waiting || state.waiting->notBefore > now) continue;
    if (isPatient(slot) && busyBefore(slot)) continue;
    if (slot == Slot::live && (!questions_.empty() || asks())) continue;
    for (const Slot later : {Slot::lesson, Slot::count, Slot::sweep, Slot::live})
      if (slot < later) interrupt(later);
    const lab::Experiment& experiment = state.waiting->experiment;
    const uint64_t id = slot == Slot::live ? client_->live(experiment) : client_->run(experiment);
    state.running = Running{id, std::move(*state.waiting), false};
    state.waiting.reset();
  }
  for (const std::string& device : std::exchange(ceilingsWanted_, {}))
    questions_.push_back({client_->ceilings(device), device});
  if (ptxWanted_)
    questions_.push_back({client_->ptx(ptxWanted_->second, false), ptxWanted_->first});
  ptxWanted_.reset();
}

std::optional<Arrival> Requests::accept(worker::Reply reply) {
  for (const Slot slot : kByUrgency) {
    State& state = at(slot);
    if (!state.running || state.running->id != reply.id) continue;
    Running running = std::move(*state.running);
    state.running.reset();
    if (running.again && std::holds_alternative<Error>(reply.body)) {
      if (!state.waiting) state.waiting = std::move(running.request);
      return std::nullopt;
    }
    return Arrival{slot, running.request.key, std::move(reply)};
  }
  const auto question = std::ranges::find(questions_, reply.id, &Question::id);
  if (question == questions_.end()) return std::nullopt;  // Cancelled, or superseded.
  Arrival arrival{std::nullopt, question->key, std::move(reply)};
  questions_.erase(question);
  return arrival;
}

std::vector<Arrival> Requests::poll(double now) {
  std::vector<Arrival> arrivals;
  if (!client_) return arrivals;
  send(now);
  while (std::optional<worker::Reply> reply = client_->poll())
    if (std::optional<Arrival> arrival = accept(std::move(*reply)))
      arrivals.push_back(std::move(*arrival));
  if (const std::optional<worker::Progress> progress = client_->progress()) {
    stage_ = progress->stage;
    if (progress->fraction) stage_ += " " + wholePercent(*progress->fraction);
  }
  if (!busy()) stage_.clear();
  return arrivals;
}

bool Requests::waitsOrRuns(Slot slot) const {
  const State& state = slots_[static_cast<size_t>(slot)];
  return state.waiting || state.running;
}

bool Requests::busyBefore(Slot slot) const {
  for (const Slot earlier : kByUrgency) {
    if (earlier == slot) return false;
    if (waitsOrRuns(earlier)) return true;
  }
  return false;
}

bool Requests::busy() const {
  return busyBefore(Slot::sweep) || waitsOrRuns(Slot::sweep) || !questions_.empty();
}

Requests::Samples Requests::takeSamples() {
  Samples samples;
  const State& live = slots_[static_cast<size_t>(Slot::live)];
  if (!client_ || !live.running || live.running->again) return samples;
  samples.fresh = sampledId_ != live.running->id;
  while (std::optional<device::LiveBatch> batch = client_->samples(live.running->id))
    samples.batches.push_back(std::move(*batch));
  if (!samples.batches.empty()) sampledId_ = live.running->id;
  return samples;
}

std::optional<double> Requests::nextDue() const {
  std::optional<double> due;
  for (const State& state : slots_) {
    if (!state.waiting || &state == &slots_[static_cast<size_t>(Slot::live)]) continue;
    due = std::min(due.value_or(state.waiting->notBefore), state.waiting->notBefore);
  }
  return due;
}

}  // namespace tilestep::model
