// SPDX-License-Identifier: Apache-2.0
#include "model/choice/pins.h"

#include <algorithm>

namespace tilestep::model {

const char* nameOf(PinOrigin origin) {
  switch (origin) {
    case PinOrigin::measured:
      return "measured";
    case PinOrigin::recorded:
      return "recorded";
    case PinOrigin::interpreter:
      return "interpreter";
  }
  return "";
}

Machine Pin::machine() const {
  return {device, deviceName, identity, machines, machineNumber};
}

std::optional<double> Pin::gflops() const {
  if (!time || work.operations <= 0) return std::nullopt;
  return work.operations / (time->medianMs * 1e6);
}

metrics::RooflineWork Pin::timedWork() const {
  metrics::RooflineWork timed = work;
  if (!time) return timed;
  timed.seconds = time->medianMs / 1e3;
  if (time->coldMedianMs) timed.coldSeconds = *time->coldMedianMs / 1e3;
  return timed;
}

const Pin* Pins::find(uint64_t id) const {
  const auto found = std::ranges::find(pins, id, &Pin::id);
  return found == pins.end() ? nullptr : &*found;
}

const Pin* Pins::baseOrFirst() const {
  if (const Pin* chosen = find(base)) return chosen;
  return pins.empty() ? nullptr : &pins.front();
}

Pins mergedPins(const Pins& before, const Pins& mine, const Pins& theirs) {
  Pins merged;
  for (const Pin& pin : mine.pins) {
    const Pin* earlier = before.find(pin.id);
    if (earlier == nullptr || *earlier != pin)
      merged.pins.push_back(pin);
    else if (const Pin* now = theirs.find(pin.id))
      merged.pins.push_back(*now);
  }
  for (const Pin& pin : theirs.pins)
    if (before.find(pin.id) == nullptr && mine.find(pin.id) == nullptr) merged.pins.push_back(pin);
  merged.base = mine.base != before.base ? mine.base : theirs.base;
  if (merged.find(merged.base) == nullptr) merged.base = 0;
  return merged;
}

}  // namespace tilestep::model
