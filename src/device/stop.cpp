// SPDX-License-Identifier: Apache-2.0
#include "device/stop.h"

#include <utility>

#include "base/figure.h"

namespace tilestep::device {

Stop::Stop(Cancelled cancelled, double limitSeconds, double spentSeconds)
    : cancelled_(std::move(cancelled)), limitSeconds_(limitSeconds), before_(spentSeconds) {}

double Stop::secondsLeft() const {
  const std::chrono::duration<double> since = Clock::now() - start_;
  return limitSeconds_ - before_ - since.count();
}

void Stop::allow(double seconds) {
  before_ -= seconds;
}

Error Stop::why(const std::string& what) const {
  if (!isLate()) return workError(what + " was cancelled");
  return lateError(what + " had not ended when the time limit of " +
                   toText(limitSeconds_, Unit::seconds) +
                   ", which is for the whole run, had passed; make the sizes smaller, or allow "
                   "more with --timeout");
}

}  // namespace tilestep::device
