// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "base/archive.h"
#include "lab/recording/recording.h"

/// The fields of a recording (base/archive.h). Private to the files that read and write them.
namespace tilestep::lab {

void describe(Archive& io, PackedEpochs::Run& run);
void describe(Archive& io, RecordedCounters& counters);
/// The most values of all points' sizes and tunables. Each value needs memory for its name, which a
/// file stores only once.
constexpr size_t kMostNamedValues = size_t{1} << 19;
[[nodiscard]] inline size_t namedValues(const RecordedPoint& point) {
  return point.sizes.size() + point.tunables.size();
}
/// Everything except the points.
void describeHeader(Archive& io, DeviceRecording& recording);
void describePoints(Archive& io, DeviceRecording& recording);

}  // namespace tilestep::lab
