// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/archive.h"
#include "lab/recording/recording.h"

/// The fields of a recording (base/archive.h). Private to the files that read and write them.
namespace tilestep::lab {

void describe(Archive& io, PackedEpochs::Run& run);
void describe(Archive& io, RecordedCounters& counters);
/// Everything except the points.
void describeHeader(Archive& io, DeviceRecording& recording);
void describePoints(Archive& io, DeviceRecording& recording);

}  // namespace tilestep::lab
