// SPDX-License-Identifier: Apache-2.0
#include "worker/watch.h"

#include <algorithm>

#include "base/figure.h"
#include "lab/devices/gpu_turn.h"

namespace tilestep::worker {
namespace {

Watch::Time after(Watch::Time time, double seconds) {
  constexpr double kForever = 1e8;  // Three years, which overflow no clock.
  const std::chrono::duration<double> wait(std::clamp(seconds, 0.0, kForever));
  return time + std::chrono::duration_cast<Watch::Time::duration>(wait);
}

double secondsOf(Watch::Time::duration time) {
  return std::chrono::duration<double>(time).count();
}

std::string text(double seconds) {
  return toText(seconds, Unit::seconds);
}

}  // namespace

void Watch::heard(Time now) {
  if (!heard_) idleSince_ = now;
  heard_ = now;
}

void Watch::asked(uint64_t id, std::optional<double> limitSeconds, Time now) {
  if (open_.empty()) firstAsked_ = idleSince_ = now;
  open_[id].limitSeconds = limitSeconds.value_or(patience_.untimed);
}

void Watch::told(uint64_t id, const std::string& stage, Time now) {
  const auto at = open_.find(id);
  if (at == open_.end()) return;
  Request& request = at->second;
  if (request.begun && (stage.empty() || stage == request.stage)) return;
  if (!request.begun) request.begun = request.told = now;
  if (request.stage.starts_with(lab::kWaitsFor)) request.waited += secondsOf(now - request.told);
  request.told = now;
  request.stage = stage;
}

void Watch::sampled(uint64_t id, Time now) {
  const auto at = open_.find(id);
  if (at == open_.end()) return;
  Request& request = at->second;
  if (!request.begun) request.begun = now;
  request.told = now;
  request.samples = true;
}

void Watch::answered(uint64_t id, Time now) {
  open_.erase(id);
  idleSince_ = now;
}

void Watch::cancelled(uint64_t id, Time now) {
  const auto at = open_.find(id);
  if (at != open_.end() && !at->second.cancelled) at->second.cancelled = now;
}

Watch::Time Watch::endOfSilence() const {
  return after(std::max(*heard_, firstAsked_), patience_.silence);
}

std::optional<Watch::Time> Watch::endOfIdling() const {
  const auto isBegun = [](const auto& each) { return each.second.begun.has_value(); };
  if (std::ranges::any_of(open_, isBegun)) return std::nullopt;
  return after(idleSince_, patience_.start);
}

double Watch::mostSeconds(const Request& request) const {
  return patience_.rounds * request.limitSeconds + patience_.grace +
         std::min(request.waited, patience_.queue);
}

std::optional<Watch::Time> Watch::endOf(const Request& request) const {
  if (request.cancelled) return after(*request.cancelled, patience_.cancel);
  if (!request.begun) return std::nullopt;
  const Time stuck = after(request.told, request.limitSeconds + patience_.grace);
  return request.samples ? stuck : std::min(stuck, after(*request.begun, mostSeconds(request)));
}

std::optional<Watch::Time> Watch::due() const {
  if (!heard_) return after(started_, patience_.start);
  if (open_.empty()) return std::nullopt;
  Time first = endOfSilence();
  first = std::min(first, endOfIdling().value_or(first));
  for (const auto& [id, request] : open_) first = std::min(first, endOf(request).value_or(first));
  return first;
}

std::optional<Error> Watch::overdue(Time now) const {
  const std::optional<Time> time = due();
  if (!time || now < *time) return std::nullopt;
  if (!heard_) return lateError("it did not answer for " + text(patience_.start));
  if (endOfSilence() <= now) {
    return lateError("the worker sent nothing for " + text(patience_.silence) +
                     " and was ended. It was stopped, its machine is overloaded, or the connection "
                     "broke. The next request starts a new worker");
  }
  for (const auto& [id, request] : open_) {
    const std::optional<Time> end = endOf(request);
    if (end && *end <= now) return whyEnded(request, now);
  }
  if (endOfIdling().value_or(after(now, 1)) <= now) {
    return lateError("the worker was alive, but did not begin a request for " +
                     text(patience_.start) + " and was ended");
  }
  return std::nullopt;
}

Error Watch::whyEnded(const Request& request, Time now) const {
  const std::string stage = request.stage.empty() ? "" : " while " + request.stage;
  if (request.cancelled) {
    return workError("the request was cancelled, but the worker was stuck" + stage +
                     " and was ended after " + text(patience_.cancel));
  }
  if (now < after(request.told, request.limitSeconds + patience_.grace)) {
    return lateError("the worker reported new stages for " + text(mostSeconds(request)) +
                     " without an answer, and was ended" + stage +
                     "; make the request smaller, or allow more with --timeout");
  }
  return lateError("the worker was stuck" + stage + " for " +
                   text(request.limitSeconds + patience_.grace) +
                   " and was ended; make the request smaller, or allow more with --timeout");
}

}  // namespace tilestep::worker
