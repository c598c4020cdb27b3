// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/recording/recording.h"
#include "lab/recording/recording_columns.h"

/// A recording's header, which is JSON: what was recorded, how and where, and which columns follow.
/// Private to recording_file.cpp.
namespace tilestep::lab {

struct RecordingHeader {
  DeviceRecording about;  ///< Without points.
  uint64_t points = 0;
  struct Column {
    std::string name;
    ColumnType type = ColumnType::integer;
    uint64_t entries = 0, bytes = 0;
  };
  std::vector<Column> columns;
};

[[nodiscard]] std::string headerText(RecordingHeader header);
/// Errors say which key is missing or wrong.
Result<RecordingHeader> parseHeader(std::string_view text);

}  // namespace tilestep::lab
