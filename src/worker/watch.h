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

/// The interval between signs of life of a worker with open requests.
constexpr std::chrono::milliseconds kBeat{1000};

/// Decides when one worker process must be ended, from the times of its open requests, and gives
/// the reason in a sentence. Starts no thread and reads no clock: the caller passes the time, which
/// must never decrease.
class Watch {
 public:
  using Time = std::chrono::steady_clock::time_point;

  Watch(const Patience& patience, Time started) : patience_(patience), started_(started) {}

  void heard(Time now);  ///< A byte arrived.
  void asked(uint64_t id, std::optional<double> limitSeconds, Time now);
  /// The request began, or reported its stage. Only a changed stage gives it more time, up to the
  /// maximum for the whole request.
  void told(uint64_t id, const std::string& stage, Time now);
  void sampled(uint64_t id, Time now);
  void cancelled(uint64_t id, Time now);
  void answered(uint64_t id, Time now);

  /// When to call `overdue` next; absent if not before another event.
  [[nodiscard]] std::optional<Time> due() const;
  /// The reason to end the worker now, if there is one.
  [[nodiscard]] std::optional<Error> overdue(Time now) const;

 private:
  struct Request {
    double limitSeconds = 0;
    std::optional<Time> begun, cancelled;
    Time told{};        ///< When the stage last changed, or the last samples arrived.
    double waited = 0;  ///< Seconds in stages that wait for a GPU.
    bool samples = false;
    std::string stage;
  };
  [[nodiscard]] Time endOfSilence() const;
  /// The deadline for beginning one of the open requests; absent if a request has begun.
  [[nodiscard]] std::optional<Time> endOfIdling() const;
  [[nodiscard]] double mostSeconds(const Request& request) const;
  [[nodiscard]] std::optional<Time> endOf(const Request& request) const;
  [[nodiscard]] Error whyEnded(const Request& request, Time now) const;

  const Patience patience_;
  const Time started_;
  std::optional<Time> heard_;
  Time firstAsked_{};  ///< The time of the first open request.
  Time idleSince_{};   ///< The time since when the worker could have begun its next request.
  std::map<uint64_t, Request> open_;
};

}  // namespace tilestep::worker
