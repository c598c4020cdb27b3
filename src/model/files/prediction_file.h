// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "device/device.h"
#include "model/launch_prediction.h"

/// How near predictions came to what a recording holds: assets/recordings/NAME.predictions.csv,
/// which `test_predictions --remake` writes beside NAME.tsrec. A file of CSV (RFC 4180): a line
/// with the beginning of the recording and the compiler, a line with the names of the columns, and
/// a line for each recorded launch. Times are in seconds.
namespace tilestep::model {

/// A recorded launch, predicted as if it were a stranger's (predictedSpan).
struct RecordedPrediction {
  std::string kernel, tunables, sizes;  ///< "transpose", "TILE 32", "m 512, n 512"
  PredictedSpan predicted;
  double measuredSeconds = 0;  ///< The median, with warm caches.
  /// The ratio, from 1 up, by which it was longer or shorter than the middle of the prediction.
  [[nodiscard]] double factor() const;
};

struct PredictionTable {
  std::string began;     ///< DeviceRecording::began of the recording: "2026-11-28T15:45:16Z".
  std::string compiler;  ///< Whose PTX was counted: "clang 14.0.6".
  std::vector<RecordedPrediction> points;
};

/// The file's text; numbers have four significant digits.
[[nodiscard]] std::string predictionsText(const PredictionTable& table);
/// Checks everything. Errors, kind request, begin with `file` and name the line and the reason.
[[nodiscard]] Result<PredictionTable> parsePredictions(std::string_view text,
                                                       const std::string& file);

/// What predictions for a GPU that is not here are made from.
struct PredictionBasis {
  device::DeviceInfo device;  ///< The recording's.
  device::Ceilings ceilings;  ///< Of the machine on which it began.
  PredictionTable table;
};

/// The file beside the recording NAME of `home`.
[[nodiscard]] std::string predictionFile(const std::string& home, const std::string& name);
/// Reads the recording's header and the table beside it. Errors: one of them cannot be read, they
/// do not belong together, the recording has no ceilings.
[[nodiscard]] Result<PredictionBasis> readPredictionBasis(const std::string& home,
                                                          const std::string& name);

}  // namespace tilestep::model
