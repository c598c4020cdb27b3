// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/error.h"
#include "worker/patience.h"

namespace tilestep::worker {

/// The time between two signs of life of a worker with open requests.
constexpr std::chrono::milliseconds kBeat{1000};

/// Keeps time for one worker process and its open requests: says when it has to be ended, and why
/// in one sentence. Starts no thread and reads no clock: the caller passes the time, which never
/// decreases.
class Watch {
 public:
  using Time = std::chrono::steady_clock::time_point;

  Watch(const Patience& patience, Time started) : patience_(patience), started_(started) {}

  void heard(Time now);  ///< A byte came.
  void asked(uint64_t id, std::optional<double> limitSeconds, Time now);
  /// The request was begun, or reported its stage. Only a stage that changed gives it more time,
  /// and no more than it may take in all.
  void told(uint64_t id, const std::string& stage, Time now);
  /// Samples came of a request that goes on until it is cancelled.
  void sampled(uint64_t id, Time now);
  void cancelled(uint64_t id, Time now);
  void answered(uint64_t id, Time now);

  /// When `overdue` should be asked next; absent: not before something happens.
  [[nodiscard]] std::optional<Time> due() const;
  /// Why the worker has to be ended now.
  [[nodiscard]] std::optional<Error> overdue(Time now) const;

 private:
  struct Request {
    double limitSeconds = 0;
    std::optional<Time> begun, cancelled;
    Time told{};        ///< When the stage last changed, or samples came.
    double waited = 0;  ///< Seconds in stages of waiting for a GPU.
    bool samples = false;
    std::string stage;
  };
  [[nodiscard]] Time endOfSilence() const;
  /// When it has to have begun one of the open requests; absent where it has.
  [[nodiscard]] std::optional<Time> endOfIdling() const;
  [[nodiscard]] double mostSeconds(const Request& request) const;
  [[nodiscard]] std::optional<Time> endOf(const Request& request) const;
  [[nodiscard]] Error whyEnded(const Request& request, Time now) const;

  const Patience patience_;
  const Time started_;
  std::optional<Time> heard_;
  Time firstAsked_{};  ///< When the first open request was asked.
  Time idleSince_{};   ///< When it could first begin the request that is to be begun next.
  std::map<uint64_t, Request> open_;
};

}  // namespace tilestep::worker
