// SPDX-License-Identifier: Apache-2.0
#include "lab/devices/gpu_queue.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace tilestep::lab {
namespace {

/// One user's requests in their order, and what decides between users.
struct UsersQueue {
  int64_t keyNs = 0;
  std::vector<Ticket> tickets;
};

size_t placesOf(const QueueState& state, uint32_t user) {
  return static_cast<size_t>(std::ranges::count_if(state.tickets, [&](const Ticket& ticket) {
    return ticket.id.user == user && ticket.waitsSinceNs;
  }));
}

const Ticket* find(const QueueState& state, const TicketId& id) {
  const auto at = std::ranges::find(state.tickets, id, &Ticket::id);
  return at == state.tickets.end() ? nullptr : &*at;
}

/// In the same order for everybody.
bool precedes(const Ticket& a, const Ticket& b) {
  return std::tie(*a.claimedNs, a.id) < std::tie(*b.claimedNs, b.id);
}

}  // namespace

std::vector<Ticket> queueOrder(const QueueState& state, const std::set<TicketId>& idle) {
  std::map<uint32_t, UsersQueue> users;
  for (const Ticket& ticket : state.tickets)
    if (ticket.waitsSinceNs && !ticket.claimedNs) users[ticket.id.user].tickets.push_back(ticket);
  std::vector<UsersQueue> queues;
  for (auto& [user, queue] : users) {
    const auto orderOf = [&](const Ticket& ticket) {
      return std::tuple(idle.contains(ticket.id), *ticket.waitsSinceNs, ticket.id);
    };
    std::ranges::sort(queue.tickets, {}, orderOf);
    if (queue.tickets.size() > kMostPlaces) queue.tickets.resize(kMostPlaces);
    const auto turn = state.lastTurns.find(user);
    queue.keyNs = *queue.tickets.front().waitsSinceNs;
    if (turn != state.lastTurns.end()) queue.keyNs = std::max(queue.keyNs, turn->second);
    queues.push_back(std::move(queue));
  }
  std::ranges::sort(queues, {}, [](const UsersQueue& queue) {
    const Ticket& first = queue.tickets.front();
    return std::tuple(queue.keyNs, *first.waitsSinceNs, first.id);
  });
  std::vector<Ticket> order;
  for (size_t round = 0; round < kMostPlaces; ++round)
    for (const UsersQueue& queue : queues)
      if (round < queue.tickets.size()) order.push_back(queue.tickets[round]);
  return order;
}

/// Users may remove the traces of their own turns, so what was seen counts as well.
void QueueWaiter::remember(QueueState& state, int64_t nowNs) {
  std::map<TicketId, int64_t> claimed;
  std::map<uint32_t, int64_t> users;
  for (const Ticket& ticket : state.tickets) {
    if (!ticket.claimedNs || ticket.id == me_) continue;
    seenTurns_[ticket.id.user] = nowNs;
    idle_.erase(ticket.id);
    const auto known = claimedSince_.find(ticket.id);
    const int64_t seen = known == claimedSince_.end() ? nowNs : known->second;
    claimed[ticket.id] = std::min(seen, *ticket.claimedNs);
    const auto user = userClaimsSince_.find(ticket.id.user);
    users[ticket.id.user] = user == userClaimsSince_.end() ? nowNs : user->second;
  }
  claimedSince_ = std::move(claimed);
  userClaimsSince_ = std::move(users);
  for (const auto& [user, turn] : seenTurns_) {
    int64_t& last = state.lastTurns.try_emplace(user, turn).first->second;
    last = std::max(last, turn);
  }
}

bool QueueWaiter::isOverdue(const Ticket& ticket, int64_t nowNs) const {
  if (nowNs - claimedSince_.at(ticket.id) > kLongestTurnNs) return true;
  // One claim after another, while this request is the next.
  const int64_t since =
      std::max(firstSinceNs_.value_or(nowNs), userClaimsSince_.at(ticket.id.user));
  return nowNs - since > kLongestTurnNs;
}

QueueWaiter::Decision QueueWaiter::next(QueueState state, int64_t nowNs) {
  remember(state, nowNs);
  const Ticket* mine = find(state, me_);
  const bool hasClaimed = mine != nullptr && mine->claimedNs;
  Decision decision;
  bool isFree = true, isSecond = false;
  for (const Ticket& other : state.tickets) {
    if (!other.claimedNs || other.id == me_) continue;
    const bool isOver = isOverdue(other, nowNs);
    if (isFree) decision.place.holder = other.id;
    if (isFree) decision.place.isPassedOver = isOver;
    if (isOver) continue;
    isFree = false;
    isSecond = isSecond || (hasClaimed && precedes(other, *mine));
  }
  const std::vector<Ticket> order = queueOrder(state, idle_);
  const auto at = std::ranges::find(order, me_, &Ticket::id);
  decision.place.waiting = order.size();
  if (at != order.end()) decision.place.place = static_cast<size_t>(at - order.begin()) + 1;
  if (hasClaimed) {
    // Whoever has claimed the GPU is in the queue's order no more, and comes before it.
    decision.place.place = 1;
    decision.place.waiting = order.size() + 1;
    decision.step = isFree ? Step::go : isSecond ? Step::withdraw : Step::wait;
  } else if (mine == nullptr || !mine->waitsSinceNs) {
    decision.step = placesOf(state, me_.user) < kMostPlaces ? Step::enter : Step::wait;
  } else {
    decision.step = stepInQueue(order, isFree, nowNs);
  }
  return decision;
}

QueueWaiter::Step QueueWaiter::stepInQueue(const std::vector<Ticket>& order, bool isFree,
                                           int64_t nowNs) {
  const TicketId first = order.front().id;
  if (first != me_) {
    firstSinceNs_.reset();
  } else if (!firstSinceNs_) {
    firstSinceNs_ = nowNs;
  }
  if (!isFree) {
    head_.reset();
    return Step::wait;
  }
  if (first == me_) return Step::claim;
  if (!head_ || head_->id != first) {
    head_ = Head{first, nowNs};
  } else if (nowNs - head_->sinceNs > kLongestPauseNs) {
    // As if it had had its turn.
    idle_.insert(first);
    seenTurns_[first.user] = nowNs;
    head_.reset();
  }
  return Step::wait;
}

}  // namespace tilestep::lab
