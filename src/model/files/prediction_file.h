// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "device/device.h"
#include "model/launch_prediction.h"

/// The accuracy of predictions for the launches of a recording:
/// assets/recordings/NAME.predictions.csv, which `test_predictions --remake` writes beside
/// NAME.tsrec. CSV (RFC 4180): a line with the start time of the recording and the compiler, a line
/// with the names of the columns, and a line for each recorded launch. Times are in seconds.
namespace tilestep::model {

/// A recorded launch, predicted as if it were unknown (predictedSpan).
struct RecordedPrediction {
  std::string kernel, tunables, sizes;  ///< "transpose", "TILE 32", "m 512, n 512"
  PredictedSpan predicted;
  double measuredSeconds = 0;  ///< The median, with warm caches.
  /// The ratio, at least 1, between the measured time and the middle of the prediction.
  [[nodiscard]] double factor() const;
};

struct PredictionTable {
  std::string began;     ///< DeviceRecording::began of the recording: "2026-11-28T15:45:16Z".
  std::string compiler;  ///< The compiler whose PTX was counted: "clang 14.0.6".
  std::vector<RecordedPrediction> points;
};

/// The file's text; numbers have four significant digits.
[[nodiscard]] std::string predictionsText(const PredictionTable& table);
/// Checks everything. Errors are of kind request, begin with `file`, and name the line and the
/// reason.
[[nodiscard]] Result<PredictionTable> parsePredictions(std::string_view text,
                                                       const std::string& file);

/// The data from which times on an absent GPU are predicted.
struct PredictionBasis {
  device::DeviceInfo device;  ///< The device of the recording.
  device::Ceilings ceilings;  ///< Those of the machine on which the recording was started.
  PredictionTable table;
};

/// The predictions' file beside the recording NAME of `home`.
[[nodiscard]] std::string predictionFile(const std::string& home, const std::string& name);
/// Reads the recording's header and the predictions beside it. Returns an error if one of them
/// cannot be read, if they do not match, or if the recording has no ceilings.
[[nodiscard]] Result<PredictionBasis> readPredictionBasis(const std::string& home,
                                                          const std::string& name);

}  // namespace tilestep::model
