// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "lab/recording/recording.h"

namespace tilestep::lab {

/// An Error for what is impossible in a recording made on a GPU (a time of 0, a median outside its
/// spread, epochs that do not add up to their total, a block that ends before it starts, one point
/// twice …), or success. The Error names the point and the reason.
Status checkRecording(const DeviceRecording& recording);

}  // namespace tilestep::lab
