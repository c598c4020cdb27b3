// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "lab/recording/recording.h"

namespace tilestep::lab {

/// What cannot be in a recording that a GPU made (a time of nothing, a median outside its spread,
/// epochs that do not add up to their total, a block that ends before it starts, one point twice
/// …), or success. The Error names the point and the reason.
Status checkRecording(const DeviceRecording& recording);

}  // namespace tilestep::lab
