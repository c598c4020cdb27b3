// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/result.h"
#include "lab/recording/recording.h"

/// Reads recordings of version 1: a header in JSON, then one zlib stream for each column of the
/// points' numbers. Only the form is checked here; writing and reading the recording again in the
/// present form checks its values.
namespace tilestep::lab {

Result<DeviceRecording> readHeaderV1(std::string_view header);
Result<DeviceRecording> readV1(std::string_view header, std::string_view columns);

}  // namespace tilestep::lab
