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

/// Whether the request that claims the GPU would come after this one if both still waited.
bool QueueWaiter::isOutOfTurn(const QueueState& state, const Ticket& claim) const {
  const Ticket* mine = find(state, me_);
  if (mine == nullptr || !mine->waitsSinceNs || *claim.claimedNs <= *mine->waitsSinceNs)
    return false;
  // Others had reason to go on without this process, which was stopped.
  if (sinceLookNs_ > kLongestPauseNs) return false;
  QueueState before = state;
  for (Ticket& ticket : before.tickets)
    if (ticket.id == claim.id || ticket.id == me_) ticket.claimedNs.reset();
  for (const Ticket& ticket : queueOrder(before, idle_)) {
    if (ticket.id == claim.id) return false;
    if (ticket.id == me_) return true;
  }
  return true;
}

/// Users may remove the traces of their own turns, so what was seen counts as well.
void QueueWaiter::remember(QueueState& state, int64_t nowNs) {
  sinceLookNs_ = std::max<int64_t>(0, nowNs - lastLookNs_.value_or(nowNs));
  lastLookNs_ = nowNs;
  const auto addSeenTurns = [&] {
    for (const auto& [user, turn] : seenTurns_) {
      int64_t& last = state.lastTurns.try_emplace(user, turn).first->second;
      last = std::max(last, turn);
    }
  };
  addSeenTurns();
  const auto hasOneOutOfTurn = [&] {
    return std::ranges::any_of(claims_, [](const auto& claim) { return claim.second.isOutOfTurn; });
  };
  const bool hadOne = hasOneOutOfTurn();
  std::map<TicketId, Claim> claims;
  for (const Ticket& ticket : state.tickets) {
    if (!ticket.claimedNs || ticket.id == me_) continue;
    const auto known = claims_.find(ticket.id);
    Claim& claim = claims[ticket.id];
    claim = known == claims_.end() ? Claim{nowNs, isOutOfTurn(state, ticket)} : known->second;
    claim.sinceNs = std::min(claim.sinceNs, *ticket.claimedNs);
  }
  claims_ = std::move(claims);
  for (const auto& [id, claim] : claims_) {
    seenTurns_[id.user] = nowNs;
    unusedNs_.erase(id.user);
    idle_.erase(id);
  }
  addSeenTurns();
  // A claim that comes and goes between looks keeps this request away as well as one that stays.
  if (hadOne || hasOneOutOfTurn()) outOfTurnNs_ += std::min(sinceLookNs_, kLongestPauseNs);
}

bool QueueWaiter::isOverdue(const Ticket& ticket, bool isNext, int64_t nowNs) const {
  const Claim& claim = claims_.at(ticket.id);
  if (nowNs - claim.sinceNs > kLongestTurnNs) return true;
  return claim.isOutOfTurn && outOfTurnNs_ > (isNext ? kLongestDelayNs : 2 * kLongestDelayNs);
}

QueueWaiter::Decision QueueWaiter::next(QueueState state, int64_t nowNs) {
  remember(state, nowNs);
  const Ticket* mine = find(state, me_);
  const bool hasClaimed = mine != nullptr && mine->claimedNs;
  const std::vector<Ticket> order = queueOrder(state, idle_);
  const bool isNext = hasClaimed || (!order.empty() && order.front().id == me_);
  Decision decision;
  bool isFree = true, isSecond = false;
  for (const Ticket& other : state.tickets) {
    if (!other.claimedNs || other.id == me_) continue;
    const bool isOver = isOverdue(other, isNext, nowNs);
    if (isFree) decision.place.holder = other.id;
    if (isFree) decision.place.isPassedOver = isOver;
    if (isOver) continue;
    isFree = false;
    isSecond = isSecond || (hasClaimed && precedes(other, *mine));
  }
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
  const std::optional<uint32_t> before = std::exchange(unusedBy_, std::nullopt);
  if (!isFree) return Step::wait;
  const TicketId first = order.front().id;
  if (first == me_) return Step::claim;
  unusedBy_ = first.user;
  // This process may have been stopped itself, so one look says only so much.
  if (before) unusedNs_[*before] += std::min(sinceLookNs_, kLongestPauseNs);
  if (unusedNs_[first.user] > kLongestPauseNs) {
    // As if it had had its turn.
    idle_.insert(first);
    seenTurns_[first.user] = nowNs;
    unusedNs_.erase(first.user);
  }
  return Step::wait;
}

}  // namespace tilestep::lab
