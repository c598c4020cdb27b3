// SPDX-License-Identifier: Apache-2.0
#include "base/process/time_watch.h"

#include <algorithm>
#include <thread>

#include "base/figure.h"
#include "base/process/processor_time.h"

namespace tilestep {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kBetweenLooks{100};

std::string text(milliseconds time) {
  return toText(std::chrono::duration<double>(time).count(), Unit::seconds);
}

/// The shortest time in which a group can use this much processor time.
milliseconds soonestFor(milliseconds processorTime) {
  const unsigned processors = std::max(1u, std::thread::hardware_concurrency());
  return std::max(kBetweenLooks, processorTime / processors);
}

}  // namespace

TimeWatch::TimeWatch(pid_t leader, const TimeLimits& limits)
    : leader_(leader), limits_(limits), before_(processorTimeOf(leader)) {
  nextLook_ = start_ + soonestFor(limits.processor);
}

std::string TimeWatch::reached() {
  const Clock::time_point now = Clock::now();
  if (now >= nextLook_) {
    seen_ = groupUsed();
    // A child that ends during the query may be counted twice, so query again.
    if (seen_ >= limits_.processor) seen_ = std::min(seen_, groupUsed());
    if (seen_ >= limits_.processor) return processorText(limits_);
    nextLook_ = now + soonestFor(limits_.processor - seen_);
  }
  return now >= start_ + limits_.clock ? clockText(limits_) : std::string();
}

milliseconds TimeWatch::used() const {
  return std::max(seen_, processorTimeOf(leader_) - before_);
}

milliseconds TimeWatch::groupUsed() const {
  return processorTimeOfGroup(leader_) - before_;
}

std::string processorText(const TimeLimits& limits) {
  return text(limits.processor) + " of processor time";
}

std::string clockText(const TimeLimits& limits) {
  return text(limits.clock);
}

}  // namespace tilestep
