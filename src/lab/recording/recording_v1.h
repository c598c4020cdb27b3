// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/result.h"
#include "lab/recording/recording.h"

/// Reads recordings of version 1: a JSON header, then one zlib stream for each column of the
/// points' numbers. Checks only the form; the caller checks the values by converting the recording
/// to the current format.
namespace tilestep::lab {

Result<DeviceRecording> readHeaderV1(std::string_view header);
Result<DeviceRecording> readV1(std::string_view header, std::string_view columns);

}  // namespace tilestep::lab
