// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/recording/recording.h"

/// A small recording with every field set.
namespace tilestep::lab::sample {

trace::Counters epochCounters(uint64_t n);

/// `phases` pairs of a load and a compute epoch, then a different last epoch.
std::vector<trace::Counters> epochs(size_t phases);

RecordedCounters counters(size_t phases);

trace::Timeline timeline();

device::Measurement measurement(double medianMs);

device::HardwareCounters hardware();

RecordedPoint point(int64_t size, int64_t width, double medianMs);

device::DeviceInfo device();

/// Two GPUs of one model. The second GPU's ceilings and identity are unknown.
std::vector<RecordedMachine> machines();

DeviceRecording recording();

}  // namespace tilestep::lab::sample
