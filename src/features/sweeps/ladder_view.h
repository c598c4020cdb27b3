// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "features/names.h"
#include "features/sweeps/ladder_counts.h"
#include "features/sweeps/sweep_view.h"
#include "metrics/limits.h"
#include "metrics/occupancy.h"
#include "metrics/time_difference.h"

/// The explained ladder: each rung's speed, the prediction from its counts, the limit of the rung
/// below, and the changes relative to that rung. Pure.
namespace tilestep::features {

/// A quantity that a rung changed relative to the one below.
struct LadderChange {
  std::string what;  ///< "shared wavefronts"
  std::string unit;  ///< "a warp's multiply-add"; empty for amounts of the launch.
  double before = 0, after = 0;
  std::string text;  ///< "shared wavefronts 2.06 → 1.16"
};

struct LadderRow {
  size_t cell = 0;     ///< Index into SweepView::cells.
  std::string number;  ///< "9"; empty for a library's product.
  std::string name;    ///< "double buffering"
  std::string kernel;
  bool library = false;
  bool otherPrecision = false;  ///< Not comparable with FP32.
  SweepCell::State state = SweepCell::State::waiting;
  TunablesOrigin from;
  std::string tunables;               ///< "PAD 0, TILE_WIDTH 32"; empty if the rung has none.
  std::string gap;                    ///< Why it has no speed, and how to get one; otherwise empty.
  std::optional<SweepValue> speed;    ///< Measured, in FLOP/s.
  std::optional<double> ofLibrary;    ///< Share of the library's product of the same precision.
  std::optional<double> ofPeak;       ///< Share of the FP32 ceiling.
  std::optional<double> occupancy;    ///< 0 to 1; absent if registers are unknown.
  std::optional<uint32_t> registers;  ///< Per thread.
  std::optional<metrics::Limits> limits;    ///< Absent if the rung was not counted.
  std::optional<double> predicted, merged;  ///< FLOP/s: Limits::predicted, Limits::merged.
  std::optional<double> reached;            ///< Measured speed divided by the predicted one.
  // Relative to the rung below, if both are known.
  std::optional<metrics::PredictedGain> predictedGain;
  std::optional<double> measuredGain;
  metrics::TimeVerdict verdict = metrics::TimeVerdict::notTold;  ///< For the measured gain.
  std::string predictedText, measuredText;  ///< "16.5 times faster", "1.1 times slower"
  std::string limitText;   ///< The predicted limit of this rung: "shared memory, 2.06".
  std::string belowText;   ///< The same for the rung below.
  std::string changeText;  ///< The largest change, in short.
  std::vector<LadderChange> changes;
  std::string sentence;                 ///< A summary in one sentence.
  std::vector<std::string> paragraphs;  ///< The full explanation.
};

struct LadderView {
  std::vector<LadderRow> rows;  ///< Lowest rung first; libraries last.
  std::string device, title, origin;
  std::string predictedBy;              ///< The origin of rates and counts, in a sentence.
  std::string progress;                 ///< While rungs are still being counted; otherwise empty.
  std::optional<double> library, peak;  ///< FLOP/s, FP32.
  bool logarithmic = false;
  double high = 0;             ///< The largest value of all, in FLOP/s; 0 without values.
  std::optional<size_t> best;  ///< The fastest FP32 rung.
};

struct LadderInputs {
  const SweepView* sweep = nullptr;  ///< A plan of kind ladder.
  std::function<const SweepSample*(const SweepPoint&)> find;
  std::function<const RungCounts*(const SweepPoint&)> counts;
  metrics::DeviceRates rates;
  std::string ratesOrigin;  ///< "NVIDIA H200, measured 2026-11-21"; empty if no device is known.
  std::optional<metrics::Multiprocessor> multiprocessor;
};

[[nodiscard]] LadderView ladderViewOf(const LadderInputs& in);

/// Sets the row's sentence and paragraphs. `below` is null for the lowest rung. `hardware`: the
/// GPU's own counters gave the wavefronts of shared memory.
void explain(const LadderInputs& in, LadderRow& row, const LadderRow* below, bool hardware);
/// "shared, 2.06 wavefronts"
[[nodiscard]] std::string limitTextOf(const metrics::Limits& limits);
/// "16.5 times faster"
[[nodiscard]] std::string gainText(const metrics::PredictedGain& gain);
[[nodiscard]] std::string gainText(double gain, metrics::TimeVerdict verdict);
/// "Tunables: PAD 0, TILE_WIDTH 32 (its defaults …)."; empty if the rung has none.
[[nodiscard]] std::string tunablesSentence(const LadderRow& row);
/// At most three digits.
[[nodiscard]] std::string amountText(double value);

}  // namespace tilestep::features
