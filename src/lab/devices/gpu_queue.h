// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

/// Whose turn it is on a GPU that several processes of several users want. Pure values: what is
/// seen of the queue goes in, and what to do next comes out (gpu_tickets.h looks at the files).
namespace tilestep::lab {

/// Names one request for a GPU among all of this machine.
struct TicketId {
  uint32_t user = 0;
  int32_t process = 0;
  uint64_t start = 0;   ///< The process's, as in ProcessFacts.
  uint64_t number = 0;  ///< Random; it tells the requests of one process apart.
  bool operator==(const TicketId&) const = default;
  bool operator<(const TicketId& other) const {
    return std::tie(user, process, start, number) <
           std::tie(other.user, other.process, other.start, other.number);
  }
};

/// One request. Times are the system's, in nanoseconds since 1970, and no user can set them back.
struct Ticket {
  TicketId id;
  std::optional<int64_t> waitsSinceNs;  ///< When it joined the queue; nothing: it has not.
  std::optional<int64_t> claimedNs;     ///< It uses the GPU, or is about to, since then.
};

/// What one look at the queue finds: the tickets that can be believed.
struct QueueState {
  std::vector<Ticket> tickets;
  std::map<uint32_t, int64_t> lastTurns;  ///< When each user's last turn ended.
};

/// How many requests of one user can wait in the queue; further ones do not count.
constexpr size_t kMostPlaces = 8;
/// Whoever uses the GPU longer no longer keeps others from it.
constexpr int64_t kLongestTurnNs = int64_t{600} * 1'000'000'000;
/// How long claims out of turn keep the next one from the GPU in all, however many there are. Those
/// who are not the next wait for twice as long, so that the next one can go before them.
constexpr int64_t kLongestDelayNs = int64_t{300} * 1'000'000'000;
/// Whoever is the next and leaves the GPU unused for so long, because the process is stopped, for
/// example, loses the place.
constexpr int64_t kLongestPauseNs = int64_t{2} * 1'000'000'000;

/// The waiting requests, the next one first: users take turns, beginning with the one whose last
/// turn is the longest ago (or who came first, if that was later); requests of one user follow each
/// other in the order in which they came, `idle` ones last.
[[nodiscard]] std::vector<Ticket> queueOrder(const QueueState& state,
                                             const std::set<TicketId>& idle = {});

/// Where a request is in the queue, for display.
struct QueuePlace {
  size_t place = 0;                ///< From 1; 0: outside, because its user has kMostPlaces others.
  size_t waiting = 0;              ///< How many wait in the queue.
  std::optional<TicketId> holder;  ///< Who uses the GPU.
  bool isPassedOver = false;       ///< The holder is waited for no longer (QueueWaiter).
  bool operator==(const QueuePlace&) const = default;
};

/// Leads one request through the queue. Two requests that follow what it says never go at the same
/// time, whatever else lies among the tickets: each claims its turn first and looks again, and goes
/// only if it then sees no other claim. What bounds its wait: the users before it in the queue have
/// one turn each, of at most kLongestTurnNs; so do those who had the GPU when it came. All other
/// claims are out of turn, whoever makes them, and delay it by kLongestDelayNs together while it is
/// the next, and by twice as much before. Whoever has exceeded these times is waited for no longer.
/// For one thread.
class QueueWaiter {
 public:
  explicit QueueWaiter(TicketId me) : me_(me) {}

  enum class Step {
    enter,     ///< Join the queue.
    wait,      ///< Look again, a little later.
    claim,     ///< Claim the turn, and look again.
    withdraw,  ///< Take the claim back; somebody else was earlier.
    go,        ///< Use the GPU. The claim stays until that ends.
  };
  struct Decision {
    Step step = Step::wait;
    QueuePlace place;
  };
  /// What to do after this look at the queue.
  Decision next(QueueState state, int64_t nowNs);

 private:
  struct Claim {
    int64_t sinceNs = 0;
    bool isOutOfTurn = false;
  };
  void remember(QueueState& state, int64_t nowNs);
  [[nodiscard]] bool isOutOfTurn(const QueueState& state, const Ticket& claim) const;
  [[nodiscard]] bool isOverdue(const Ticket& ticket, bool isNext, int64_t nowNs) const;
  Step stepInQueue(const std::vector<Ticket>& order, bool isFree, int64_t nowNs);

  TicketId me_;
  std::map<uint32_t, int64_t> seenTurns_;  ///< When each user was last seen to use the GPU.
  std::map<TicketId, Claim> claims_;       ///< Those that the last look found.
  std::set<TicketId> idle_;
  /// For how long each user who was the next has left a free GPU unused since their last turn.
  std::map<uint32_t, int64_t> unusedNs_;
  std::optional<uint32_t> unusedBy_;  ///< Who did so at the last look.
  int64_t outOfTurnNs_ = 0;           ///< For how long there were claims out of turn.
  std::optional<int64_t> lastLookNs_;
  int64_t sinceLookNs_ = 0;  ///< Between the last look and this one.
};

}  // namespace tilestep::lab
