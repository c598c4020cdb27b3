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

/// The explained ladder: each rung's speed, the prediction from its counts, what limited the rung
/// below and what this one changed. Pure.
namespace tilestep::features {

/// A quantity that a rung changed relative to the one below.
struct LadderChange {
  std::string what;  ///< "shared wavefronts"
  std::string unit;  ///< "a warp's multiply-add"; empty: none.
  double before = 0, after = 0;
  std::string text;  ///< "shared wavefronts 2.06 → 1.16"
};

/// The facts about a single rung.
struct LadderRung {
  std::optional<metrics::Limits> limits;
  std::optional<double> occupancy;  ///< 0 to 1; absent if registers are unknown.
  std::optional<uint32_t> registers;
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
  std::string tunables;             ///< "TILE_WIDTH 32, PAD 0"; empty: the rung has none.
  std::string gap;                  ///< Why it has no speed, and how to get one; otherwise empty.
  std::optional<SweepValue> speed;  ///< Measured, in FLOP/s.
  std::optional<double> ofLibrary;  ///< Share of the library's product of the same precision.
  std::optional<double> ofPeak;     ///< Share of the FP32 ceiling.
  LadderRung rung;
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
  double high = 0;             ///< The largest value of all, in FLOP/s; 0: none.
  std::optional<size_t> best;  ///< The fastest FP32 rung.
};

struct LadderInputs {
  const SweepView* sweep = nullptr;  ///< A plan of kind ladder.
  std::function<const SweepSample*(const SweepPoint&)> find;
  std::function<const RungCounts*(const SweepPoint&)> counts;
  metrics::DeviceRates rates;
  std::string ratesOrigin;  ///< "NVIDIA H200, measured 2026-11-21"; empty: no device is known.
  std::optional<metrics::Multiprocessor> multiprocessor;
};

[[nodiscard]] LadderView ladderViewOf(const LadderInputs& in);

/// The input for the texts (ladder_story.cpp).
struct LadderStory {
  const LadderRow* below = nullptr;  ///< Null for the lowest rung.
  const LadderRow* row = nullptr;
  const RungCounts* counts = nullptr;
  const SweepSample* sample = nullptr;  ///< The row's sample.
  const SweepPoint* point = nullptr;
  uint32_t multiprocessors = 0;
  double schedulers = 0;       ///< Per multiprocessor; 0: unknown.
  bool sharedCounted = false;  ///< The hardware counted the wavefronts of shared memory.
};
[[nodiscard]] std::string limitTextOf(const metrics::Limits& limits);
[[nodiscard]] std::string gainText(const metrics::PredictedGain& gain);
[[nodiscard]] std::string gainText(double gain, metrics::TimeVerdict verdict);
/// "Tunables: TILE_WIDTH 32, PAD 0 (its defaults …)."; empty if the rung has none.
[[nodiscard]] std::string tunablesSentence(const LadderRow& row);
[[nodiscard]] std::string sentenceOf(const LadderStory& story);
[[nodiscard]] std::vector<std::string> paragraphsOf(const LadderStory& story);
/// At most three digits.
[[nodiscard]] std::string amountText(double value);

}  // namespace tilestep::features
