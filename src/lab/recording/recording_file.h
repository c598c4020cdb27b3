// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "lab/recording/recording.h"

/// The format of recording files is in docs/recordings.md. They hold numbers and names, no code.
namespace tilestep::lab {

constexpr uint32_t kRecordingVersion = 2;
constexpr size_t kMostRecordingBytes = size_t{64} << 20;
constexpr size_t kMostRecordedPoints = 100000;

/// `level` is zlib's, from 1 to 9. Errors: more points or numbers than allowed.
Result<std::string> encodeRecording(const DeviceRecording& recording, int level = 9);

/// Checks the whole recording before returning it. Errors: kind request; they begin with `file` and
/// name the location and the reason.
Result<DeviceRecording> decodeRecording(std::string_view bytes, const std::string& file);

Result<DeviceRecording> readRecording(const std::string& file);

/// The header of a recording. The points are not read.
Result<DeviceRecording> readRecordingHeader(const std::string& file);

}  // namespace tilestep::lab
