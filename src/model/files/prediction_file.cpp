// SPDX-License-Identifier: Apache-2.0
#include "model/files/prediction_file.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <utility>

#include "base/files.h"
#include "base/number_text.h"
#include "base/printable.h"
#include "lab/recording/recorded.h"
#include "lab/recording/recording_file.h"
#include "lab/sweep_file.h"

namespace tilestep::model {
namespace {

constexpr size_t kMostPredictionBytes = size_t{1} << 20;
constexpr size_t kMostCellBytes = 200;
constexpr const char* kBegan = "recording began";
constexpr const char* kCompiler = "compiler";
const lab::SweepLine kPredictionColumns{"kernel",     "tunables", "sizes", "limit",
                                        "measured_s", "low_s",    "high_s"};

std::string secondsCell(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3e", seconds);
  return text;
}

/// Parses a plausible time of a launch; absent for anything else.
std::optional<double> secondsIn(const std::string& cell) {
  constexpr double kLeast = 1e-9, kMost = 1e6;
  const std::optional<double> seconds = numberIn<double>(cell);
  const bool isTime = seconds && std::isfinite(*seconds) && *seconds >= kLeast && *seconds <= kMost;
  return isTime ? seconds : std::nullopt;
}

bool isPlain(const std::string& cell) {
  return cell.size() <= kMostCellBytes && printableLine(cell) == cell;
}

/// Parses the line into `point`. Returns the problem; empty if none.
std::string readPoint(const lab::SweepLine& line, RecordedPrediction& point) {
  if (line.size() != kPredictionColumns.size())
    return "it has " + std::to_string(line.size()) + " cells instead of " +
           std::to_string(kPredictionColumns.size());
  if (!std::ranges::all_of(line, isPlain)) return "a cell is too long or cannot be printed";
  if (line[0].empty() || line[3].empty()) return "the kernel or the limit has no name";
  const auto measured = secondsIn(line[4]), low = secondsIn(line[5]), high = secondsIn(line[6]);
  if (!measured || !low || !high) return "a time must be a number from 1e-9 to 1e6";
  if (*low > *high) return "low_s is above high_s";
  point = {line[0], line[1], line[2], {*low, *high, line[3]}, *measured};
  return {};
}

}  // namespace

double RecordedPrediction::factor() const {
  const double ratio = measuredSeconds / predicted.middle();
  return std::max(ratio, 1 / ratio);
}

std::string predictionsText(const PredictionTable& table) {
  std::string text = lab::csvLine({kBegan, table.began, kCompiler, table.compiler});
  text += lab::csvLine(kPredictionColumns);
  for (const RecordedPrediction& point : table.points)
    text += lab::csvLine({point.kernel, point.tunables, point.sizes, point.predicted.limit,
                          secondsCell(point.measuredSeconds), secondsCell(point.predicted.low),
                          secondsCell(point.predicted.high)});
  return text;
}

Result<PredictionTable> parsePredictions(std::string_view text, const std::string& file) {
  const lab::CsvText csv = lab::parseCsv(text);
  const auto refused = [&](size_t line, const std::string& why) {
    return requestError(file + ", line " + std::to_string(line) + ": " + why);
  };
  if (csv.bytes != text.size()) return requestError(file + ": the last line is incomplete");
  if (csv.lines.size() < 2) return requestError(file + ": it has no data");
  const lab::SweepLine& first = csv.lines[0];
  if (first.size() != 4 || first[0] != kBegan || first[2] != kCompiler ||
      !std::ranges::all_of(first, isPlain))
    return refused(1, "it does not name the recording and the compiler");
  if (csv.lines[1] != kPredictionColumns) return refused(2, "the column names are wrong");
  PredictionTable table{first[1], first[3], {}};
  for (size_t i = 2; i < csv.lines.size(); ++i) {
    RecordedPrediction point;
    if (const std::string why = readPoint(csv.lines[i], point); !why.empty())
      return refused(i + 1, why);
    table.points.push_back(std::move(point));
  }
  return table;
}

std::string predictionFile(const std::string& home, const std::string& name) {
  return home + "/assets/recordings/" + name + ".predictions.csv";
}

Result<PredictionBasis> readPredictionBasis(const std::string& home, const std::string& name) {
  const auto recording = lab::readRecordingHeader(lab::recordingFile(home, name));
  if (!recording) return recording.error();
  if (!recording->ceilings)
    return requestError("The recording " + name +
                        " does not contain the rates and latencies of its GPU.");
  const std::string file = predictionFile(home, name);
  const Result<std::string> text = readTextFile(file, kMostPredictionBytes);
  if (!text) return text.error();
  Result<PredictionTable> table = parsePredictions(*text, file);
  if (!table) return table.error();
  if (table->began != recording->began)
    return requestError(file + " belongs to a recording that began " + table->began + ", but " +
                        name + " began " + recording->began + ".");
  return PredictionBasis{lab::deviceOf(*recording, nullptr), *recording->ceilings,
                         std::move(*table)};
}

}  // namespace tilestep::model
