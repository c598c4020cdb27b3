// SPDX-License-Identifier: Apache-2.0
// Whose turn it is on a GPU, from tickets that the tests make up.
#include "lab/devices/gpu_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>

namespace tilestep::lab {
namespace gpu_queue_test {

using Step = QueueWaiter::Step;

constexpr int64_t kSecond = 1'000'000'000;
constexpr uint32_t kAlice = 1, kBob = 2, kCarol = 3, kMallory = 66;

TicketId idOf(uint32_t user, uint64_t number) {
  return {user, static_cast<int32_t>(user * 1000 + number), 5, number};
}

Ticket waits(uint32_t user, uint64_t number, int64_t sinceNs) {
  return {idOf(user, number), sinceNs, {}};
}

Ticket claims(uint32_t user, uint64_t number, int64_t sinceNs, int64_t claimedNs) {
  return {idOf(user, number), sinceNs, claimedNs};
}

std::string namesOf(const std::vector<Ticket>& order) {
  std::string names;
  for (const Ticket& ticket : order) {
    names += (names.empty() ? "" : " ") + std::string(1, "?abc"[ticket.id.user]) +
             std::to_string(ticket.id.number);
  }
  return names;
}

TEST(GpuQueue, UsersTakeTurnsAndEachOnesRequestsKeepTheirOrder) {
  const QueueState state{{waits(kAlice, 2, 20), waits(kAlice, 1, 10), waits(kAlice, 3, 30),
                          waits(kBob, 1, 40), waits(kCarol, 1, 50), waits(kCarol, 2, 51)},
                         {}};
  EXPECT_EQ(namesOf(queueOrder(state)), "a1 b1 c1 a2 c2 a3");
}

TEST(GpuQueue, WhoeverHadATurnComesAfterThoseWhoWaitedMeanwhile) {
  QueueState state{{waits(kAlice, 1, 10), waits(kBob, 1, 40)}, {{kAlice, 60}}};
  EXPECT_EQ(namesOf(queueOrder(state)), "b1 a1");
  state.tickets.push_back(waits(kCarol, 1, 70));
  EXPECT_EQ(namesOf(queueOrder(state)), "b1 a1 c1") << "Carol came after Alice's turn";
}

TEST(GpuQueue, NobodyWaitsForMoreThanOneTurnOfEachOtherUser) {
  QueueState state;
  for (int i = 1; i <= 10; ++i) state.tickets.push_back(waits(kAlice, i, i));
  for (int i = 1; i <= 3; ++i) state.tickets.push_back(waits(kCarol, i, 10 + i));
  state.tickets.push_back(waits(kBob, 1, 20));
  std::string served;
  for (int64_t now = 100; !state.tickets.empty(); now += 10) {
    const Ticket first = queueOrder(state).front();
    served += (served.empty() ? "" : " ") + namesOf({first});
    std::erase_if(state.tickets, [&](const Ticket& ticket) { return ticket.id == first.id; });
    state.lastTurns[first.id.user] = now;
  }
  EXPECT_EQ(served, "a1 c1 b1 a2 c2 a3 c3 a4 a5 a6 a7 a8 a9 a10");
}

TEST(GpuQueue, AUserHasEightPlacesAndTheRestDoNotCount) {
  QueueState state;
  for (int i = 1; i <= 20; ++i) state.tickets.push_back(waits(kAlice, i, i));
  state.tickets.push_back(waits(kBob, 1, 100));
  const std::vector<Ticket> order = queueOrder(state);
  EXPECT_EQ(order.size(), kMostPlaces + 1);
  EXPECT_EQ(order[1].id, idOf(kBob, 1));
}

TEST(GpuQueue, ARequestBeyondTheLimitWaitsOutside) {
  QueueState state;
  for (int i = 1; i <= 8; ++i) state.tickets.push_back(waits(kAlice, i, i));
  QueueWaiter ninth(idOf(kAlice, 9)), bob(idOf(kBob, 1));
  const QueueWaiter::Decision decision = ninth.next(state, 10);
  EXPECT_EQ(decision.step, Step::wait);
  EXPECT_EQ(decision.place.place, 0U);
  EXPECT_EQ(bob.next(state, 10).step, Step::enter);
  state.tickets.pop_back();
  EXPECT_EQ(ninth.next(state, 11).step, Step::enter);
}

TEST(GpuQueue, TheFirstOneClaimsAndGoesWhenItIsAlone) {
  QueueWaiter waiter(idOf(kAlice, 1));
  EXPECT_EQ(waiter.next({}, 10).step, Step::enter);
  EXPECT_EQ(waiter.next({{waits(kAlice, 1, 11)}, {}}, 12).step, Step::claim);
  EXPECT_EQ(waiter.next({{claims(kAlice, 1, 11, 13)}, {}}, 14).step, Step::go);
}

TEST(GpuQueue, OfTwoClaimsTheLaterOneIsTakenBackAndNobodyGoes) {
  const QueueState both{{claims(kAlice, 1, 10, 20), claims(kBob, 1, 11, 21)}, {}};
  QueueWaiter alice(idOf(kAlice, 1)), bob(idOf(kBob, 1));
  EXPECT_EQ(alice.next(both, 30).step, Step::wait);
  EXPECT_EQ(bob.next(both, 30).step, Step::withdraw);
}

TEST(GpuQueue, ThePlaceAndWhoUsesTheGpuAreTold) {
  const QueueState state{
      {claims(kAlice, 1, 10, 20), waits(kAlice, 2, 11), waits(kCarol, 1, 12), waits(kBob, 1, 13)},
      {}};
  QueueWaiter bob(idOf(kBob, 1)), alice(idOf(kAlice, 2));
  const QueuePlace place = bob.next(state, 30).place;
  EXPECT_EQ(place.place, 2U);
  EXPECT_EQ(place.waiting, 3U);
  EXPECT_EQ(place.holder, idOf(kAlice, 1));
  EXPECT_EQ(alice.next(state, 30).place.place, 3U) << "Alice has the turn already";
}

TEST(GpuQueue, WhoHidesOnesOwnTurnsIsSeenByThoseWhoWait) {
  // Mallory's tickets are the oldest, and no trace of her turns is left.
  QueueState state{{waits(kMallory, 1, 1), waits(kMallory, 2, 2), waits(kBob, 1, 10)}, {}};
  QueueWaiter bob(idOf(kBob, 1));
  EXPECT_EQ(bob.next(state, 11).step, Step::wait);
  state.tickets[0].claimedNs = 12;
  EXPECT_EQ(bob.next(state, 13).step, Step::wait);
  state.tickets.erase(state.tickets.begin());
  EXPECT_EQ(bob.next(state, 14).step, Step::claim);
}

TEST(GpuQueue, WhoLeavesTheGpuUnusedLosesThePlace) {
  const QueueState state{{waits(kMallory, 1, 1), waits(kMallory, 2, 2), waits(kBob, 1, 10)}, {}};
  QueueWaiter bob(idOf(kBob, 1));
  EXPECT_EQ(bob.next(state, 0).step, Step::wait);
  EXPECT_EQ(bob.next(state, kLongestPauseNs).step, Step::wait);
  EXPECT_EQ(bob.next(state, kLongestPauseNs + 1).step, Step::wait);
  EXPECT_EQ(bob.next(state, kLongestPauseNs + 2).step, Step::claim);
}

TEST(GpuQueue, WhoUsesTheGpuForTooLongIsPassedOver) {
  QueueState state{{claims(kMallory, 1, 1, 2), waits(kBob, 1, 10)}, {}};
  QueueWaiter bob(idOf(kBob, 1)), later(idOf(kBob, 1));
  EXPECT_EQ(bob.next(state, kLongestTurnNs).step, Step::wait);
  // The file is made anew, so that it looks new; the waiting one remembers.
  state.tickets[0].claimedNs = kLongestTurnNs;
  EXPECT_EQ(later.next(state, kLongestTurnNs + kSecond).step, Step::wait);
  EXPECT_EQ(bob.next(state, kLongestTurnNs + kSecond).step, Step::claim);
  state.tickets[1].claimedNs = kLongestTurnNs + 2 * kSecond;
  const QueueWaiter::Decision decision = bob.next(state, kLongestTurnNs + 3 * kSecond);
  EXPECT_EQ(decision.step, Step::go);
  EXPECT_TRUE(decision.place.isPassedOver);
  EXPECT_EQ(decision.place.holder, idOf(kMallory, 1));
}

TEST(GpuQueue, EverNewClaimsDoNotKeepTheNextOneAwayForLonger) {
  QueueState state{{{}, waits(kBob, 1, 10)}, {}};
  QueueWaiter bob(idOf(kBob, 1));
  Step step = Step::wait;
  int64_t now = 20;
  for (uint64_t i = 1; step == Step::wait && now < 2 * kLongestTurnNs; ++i, now += kSecond) {
    state.tickets[0] = claims(kMallory, i, now, now);
    step = bob.next(state, now).step;
  }
  EXPECT_EQ(step, Step::claim);
  EXPECT_LE(now, kLongestTurnNs + 3 * kSecond);
}

/// Looks every second at what `others` make of the queue, in which the request has waited since the
/// second 10, and does as it is told. How many seconds it waits until it goes; the limit if never.
template <class Others>
int64_t secondsUntilItGoes(QueueWaiter& waiter, const Others& others) {
  constexpr int64_t kLimit = 7200;
  Ticket own = waits(kBob, 1, 10 * kSecond);
  for (int64_t second = 10; second < kLimit; ++second) {
    QueueState state{others(second), {}};
    state.tickets.push_back(own);
    const Step step = waiter.next(state, second * kSecond).step;
    if (step == Step::go) return second - 10;
    if (step == Step::claim) own.claimedNs = second * kSecond;
    if (step == Step::withdraw) own.claimedNs.reset();
  }
  return kLimit;
}

/// Of two users one always has a claim: each for 595 s, which overlap.
std::vector<Ticket> alternatingClaims(int64_t second) {
  std::vector<Ticket> tickets;
  constexpr int64_t kPeriod = 590, kLength = 595;
  for (const int64_t turn : {second / kPeriod - 1, second / kPeriod}) {
    const int64_t begin = turn * kPeriod;
    if (turn < 0 || second >= begin + kLength) continue;
    const uint32_t user = turn % 2 == 0 ? kMallory : kMallory + 1;
    tickets.push_back(claims(user, static_cast<uint64_t>(turn), begin * kSecond, begin * kSecond));
  }
  return tickets;
}

constexpr int64_t kTurnSeconds = kLongestTurnNs / kSecond;
constexpr int64_t kDelaySeconds = kLongestDelayNs / kSecond;

TEST(GpuQueue, UsersWhoClaimTheGpuByTurnsDoNotKeepTheNextOneAway) {
  QueueWaiter bob(idOf(kBob, 1));
  EXPECT_LE(secondsUntilItGoes(bob, alternatingClaims), kTurnSeconds + kDelaySeconds + 5);
}

TEST(GpuQueue, NorDoTheyWithTheHelpOfANextOneWhoNeverGoes) {
  QueueWaiter bob(idOf(kBob, 1));
  const int64_t seconds = secondsUntilItGoes(bob, [](int64_t second) {
    std::vector<Ticket> tickets = alternatingClaims(second);
    tickets.push_back(waits(kMallory + 2, 1, kSecond));
    return tickets;
  });
  EXPECT_LE(seconds, kTurnSeconds + 2 * kDelaySeconds + 10);
}

TEST(GpuQueue, ClaimsThatComeAndGoBetweenLooksCountAsWell) {
  QueueWaiter bob(idOf(kBob, 1));
  const int64_t seconds = secondsUntilItGoes(bob, [](int64_t second) {
    // Always there when the request looks again after its own claim, and made before that.
    std::vector<Ticket> tickets;
    const auto number = static_cast<uint64_t>(second);
    if (second % 2 == 1)
      tickets.push_back(claims(kMallory + static_cast<uint32_t>(number % 5), number,
                               second * kSecond, (second - 1) * kSecond - 1));
    return tickets;
  });
  EXPECT_LE(seconds, kDelaySeconds + 5);
}

TEST(GpuQueue, NextOnesWhoRelieveEachOtherLoseTheirPlaces) {
  QueueWaiter bob(idOf(kBob, 1));
  const int64_t seconds = secondsUntilItGoes(bob, [](int64_t second) {
    return std::vector<Ticket>{waits(kMallory + static_cast<uint32_t>(second % 2), 1, kSecond)};
  });
  EXPECT_LE(seconds, 15);
}

TEST(GpuQueue, WhoCameBeforeIsWaitedForThroughAWholeTurn) {
  // Alice has the GPU when Bob comes, and Carol has waited for longer than he has.
  QueueWaiter bob(idOf(kBob, 1));
  const int64_t seconds = secondsUntilItGoes(bob, [](int64_t second) {
    std::vector<Ticket> tickets;
    const Ticket carol = waits(kCarol, 1, 5 * kSecond);
    if (second < 590) tickets = {claims(kAlice, 1, kSecond, 2 * kSecond), carol};
    if (second >= 590 && second < 1180) tickets = {claims(kCarol, 1, 5 * kSecond, 590 * kSecond)};
    return tickets;
  });
  EXPECT_GE(seconds, 1180 - 10);
  EXPECT_LE(seconds, 1180 - 10 + 5);
}

TEST(GpuQueue, AClaimOutOfTurnIsWaitedForForSomeMinutes) {
  QueueWaiter bob(idOf(kBob, 1));
  const int64_t seconds = secondsUntilItGoes(bob, [](int64_t second) {
    std::vector<Ticket> tickets;
    if (second < 280) tickets = {claims(kCarol, 1, 11 * kSecond, 11 * kSecond)};
    return tickets;
  });
  EXPECT_GE(seconds, 280 - 10);
}

TEST(GpuQueue, WhoWasStoppedWaitsForThoseWhoWentOnMeanwhile) {
  QueueState state{{waits(kBob, 1, 10 * kSecond)}, {}};
  state.tickets.push_back(claims(kAlice, 1, kSecond, 2 * kSecond));
  QueueWaiter bob(idOf(kBob, 1));
  EXPECT_EQ(bob.next(state, 11 * kSecond).step, Step::wait);
  // Carol came later and has the GPU when Bob looks again.
  state.tickets.back() = claims(kCarol, 1, 20 * kSecond, 500 * kSecond);
  for (int64_t second = 600; second < 500 + kTurnSeconds; ++second)
    ASSERT_EQ(bob.next(state, second * kSecond).step, Step::wait) << second;
}

// --- Many at once ------------------------------------------------------------------------------

/// Processes that look at the queue, and act on what they saw after others may have acted. Any of
/// them may be killed. Times advance so slowly that many events have the same one.
class Crowd {
 public:
  Crowd(uint32_t seed, bool hasHostileUser) : chance_(seed), hasHostileUser_(hasHostileUser) {
    for (uint32_t user : {kAlice, kAlice, kAlice, kAlice, kBob, kCarol, kCarol}) add(user);
  }

  /// Whether all of the turns were had within this many steps, and at most one at a time.
  testing::AssertionResult run(int turns, int mostSteps) {
    for (int i = 0; i < mostSteps && turns_ < turns; ++i) {
      if (hasHostileUser_ && draw(3) == 0) disturb();
      step(actors_[draw(actors_.size())]);
      const auto going = std::ranges::count_if(actors_, [](const Actor& a) { return a.goes; });
      if (going > 1) return testing::AssertionFailure() << "two go at once in step " << i;
    }
    if (turns_ < turns) return testing::AssertionFailure() << turns_ << " turns";
    return testing::AssertionSuccess();
  }

 private:
  struct Actor {
    TicketId id;
    QueueWaiter waiter;
    std::optional<QueueState> seen;
    bool goes = false;
  };

  size_t draw(size_t below) { return chance_() % below; }
  int64_t now() {
    // As slow as the clock of a file system, or fast enough for somebody to take too long.
    if (draw(8) == 0) now_ += hasHostileUser_ ? kSecond : 1;
    return now_;
  }
  void add(uint32_t user) {
    const TicketId id = idOf(user, ++number_);
    actors_.push_back({id, QueueWaiter(id), {}, false});
  }
  Actor renewed(const Actor& actor) {
    const TicketId id = idOf(actor.id.user, ++number_);
    return {id, QueueWaiter(id), {}, false};
  }
  QueueState stateNow() {
    QueueState state;
    for (const auto& [id, ticket] : tickets_) state.tickets.push_back(ticket);
    state.lastTurns = lastTurns_;
    return state;
  }

  void step(Actor& actor) {
    if (draw(200) == 0) {  // It is killed, and the system shows its tickets to nobody any more.
      tickets_.erase(actor.id);
      actor = renewed(actor);
    } else if (actor.goes) {
      if (draw(4) != 0) return;
      lastTurns_[actor.id.user] = now();
      tickets_.erase(actor.id);
      ++turns_;
      actor = renewed(actor);
    } else if (!actor.seen) {
      actor.seen = stateNow();
    } else {
      act(actor, actor.waiter.next(*std::exchange(actor.seen, std::nullopt), now()).step);
    }
  }

  void act(Actor& actor, Step step) {
    Ticket& ticket = tickets_[actor.id];
    ticket.id = actor.id;
    if (step == Step::enter) ticket.waitsSinceNs = now();
    if (step == Step::claim) ticket.claimedNs = now();
    if (step == Step::withdraw) ticket.claimedNs.reset();
    if (step == Step::go) actor.goes = true;
  }

  /// The hostile user makes tickets and claims of her own, old ones too, and removes them.
  void disturb() {
    const TicketId id = idOf(kMallory, draw(4));
    if (draw(2) == 0) {
      tickets_.erase(id);
    } else {
      Ticket& ticket = tickets_[id];
      ticket.id = id;
      ticket.waitsSinceNs = static_cast<int64_t>(draw(static_cast<size_t>(now_) + 1));
      if (draw(2) == 0)
        ticket.claimedNs = static_cast<int64_t>(draw(static_cast<size_t>(now_) + 1));
    }
  }

  std::mt19937 chance_;
  bool hasHostileUser_;
  std::vector<Actor> actors_;
  std::map<TicketId, Ticket> tickets_;
  std::map<uint32_t, int64_t> lastTurns_;
  uint64_t number_ = 0;
  int64_t now_ = 0;
  int turns_ = 0;
};

TEST(GpuQueue, NoTwoGoAtOnceInAnyOrderOfEvents) {
  for (uint32_t seed = 1; seed <= 400; ++seed)
    ASSERT_TRUE(Crowd(seed, false).run(40, 200'000)) << "seed " << seed;
}

TEST(GpuQueue, AHostileUserLetsNoTwoOthersGoAtOnceAndStopsNobody) {
  for (uint32_t seed = 1; seed <= 100; ++seed)
    ASSERT_TRUE(Crowd(seed, true).run(20, 400'000)) << "seed " << seed;
}

}  // namespace gpu_queue_test
}  // namespace tilestep::lab
