// SPDX-License-Identifier: Apache-2.0
#include "worker/crew.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <utility>

namespace tilestep::worker {
namespace {

Crew::Outcome outcomeOf(Reply reply) {
  if (const lab::RunResult* result = resultOf(reply)) return *result;
  if (auto* error = std::get_if<Error>(&reply.body)) return std::move(*error);
  return workError("the worker sent the wrong kind of reply");
}

}  // namespace

Crew::Crew(std::vector<std::unique_ptr<Client>> clients, std::vector<unsigned> shares) {
  shares.resize(clients.size());
  for (size_t i = 0; i < clients.size(); ++i) {
    members_.push_back({std::move(clients[i]), shares[i], {}, 0, false});
  }
}

size_t Crew::present() const {
  return static_cast<size_t>(std::ranges::count(members_, false, &Member::left));
}

/// The first waiting task that this member did not lose before. If there is only one member, it
/// also gets tasks that it lost.
std::optional<Crew::Task> Crew::taskFor(size_t member) {
  const auto fits = [&](const Task& task) { return task.lostBy != member || present() == 1; };
  const auto at = std::ranges::find_if(waiting_, fits);
  if (at == waiting_.end()) return std::nullopt;
  const Task task = *at;
  waiting_.erase(at);
  return task;
}

void Crew::giveOut(const std::vector<lab::Experiment>& experiments) {
  for (size_t i = 0; i < members_.size(); ++i) {
    Member& member = members_[i];
    if (member.left || member.task || !member.client->ready()) continue;
    member.task = taskFor(i);
    if (!member.task) continue;
    lab::Experiment experiment = experiments[member.task->index];
    if (experiment.device == "auto" && member.share > 0) {
      experiment.device += ":" + std::to_string(member.share);
    }
    member.request = member.client->run(experiment);
  }
}

void Crew::take(size_t number, Reply reply, const Events& events) {
  Member& member = members_[number];
  if (!member.task || reply.id != member.request) return;
  const Task task = *std::exchange(member.task, std::nullopt);
  const Error* error = std::get_if<Error>(&reply.body);
  if (reply.lost && error && error->kind == ErrorKind::request) {
    member.left = true;
    lastReason_ = *error;
    waiting_.push_front(task);
    if (present() > 0) events.left(*error);
  } else if (reply.lost && !task.lostBy) {
    waiting_.push_front({task.index, number});
  } else {
    finished_.emplace(task.index, outcomeOf(std::move(reply)));
  }
}

void Crew::startAnew() {
  waiting_.clear();
  finished_.clear();
  for (Member& member : members_) {
    if (member.task) member.client->cancel(member.request);
    member.task.reset();
  }
}

Status Crew::run(const std::vector<lab::Experiment>& experiments, size_t first,
                 const Events& events) {
  startAnew();
  for (size_t i = first; i < experiments.size(); ++i) waiting_.push_back({i, {}});
  size_t next = first, told = 0;
  while (next < experiments.size() && !events.interrupted()) {
    if (present() == 0) return lastReason_;
    giveOut(experiments);
    std::optional<Progress> progress;
    for (size_t i = 0; i < members_.size(); ++i) {
      while (auto reply = members_[i].client->poll()) take(i, std::move(*reply), events);
      if (auto news = members_[i].client->progress()) progress = std::move(news);
    }
    const bool idle = !finished_.contains(next);
    for (auto at = finished_.find(next); at != finished_.end(); at = finished_.find(next)) {
      events.done(next++, std::move(at->second));
      finished_.erase(at);
      ++told;
    }
    events.tick(told + finished_.size(), progress);
    if (idle) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return {};
}

}  // namespace tilestep::worker
