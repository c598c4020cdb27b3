// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "features/sweeps/ladder_counts.h"
#include "features/sweeps/sweep_view.h"
#include "metrics/limits.h"
#include "metrics/occupancy.h"
#include "metrics/time_difference.h"

/// The ladder explained: each rung's speed, what its counts predict, what limited the rung below
/// and what this one changed. Pure.
namespace tilestep::model {

/// Something that a rung changed against the one below.
struct LadderChange {
  std::string what;  ///< "shared wavefronts"
  std::string unit;  ///< "a warp's multiply-add"; empty: none.
  double before = 0, after = 0;
  std::string text;  ///< "shared wavefronts 2.06 → 1.16"
};

/// What is known of one rung alone.
struct LadderRung {
  std::optional<metrics::Limits> limits;
  std::optional<double> occupancy;  ///< 0 to 1; where registers are known.
  std::optional<uint32_t> registers;
};

struct LadderRow {
  size_t cell = 0;     ///< Into SweepView::cells.
  std::string number;  ///< "9"; empty: a library's product.
  std::string name;    ///< "double buffering"
  std::string kernel;
  bool library = false;
  bool otherPrecision = false;  ///< Not comparable with FP32.
  SweepCell::State state = SweepCell::State::waiting;
  TunablesOrigin from;
  std::string tunables;             ///< "TILE_WIDTH 32, PAD 0"; empty: it has none.
  std::string gap;                  ///< Why it has no speed, and how to get one; else empty.
  std::optional<SweepValue> speed;  ///< Measured, FLOP/s.
  std::optional<double> ofLibrary;  ///< Of the library's product of the same precision.
  std::optional<double> ofPeak;     ///< Of the FMA ceiling.
  LadderRung rung;
  std::optional<double> predicted, merged;  ///< FLOP/s: Limits::predicted, Limits::merged.
  std::optional<double> reached;            ///< Measured over predicted.
  // Against the rung below, where both are known.
  std::optional<metrics::PredictedGain> predictedGain;
  std::optional<double> measuredGain;
  metrics::TimeVerdict verdict = metrics::TimeVerdict::notTold;  ///< Of the measured gain.
  std::string predictedText, measuredText;  ///< "16.5 times faster", "1.1 times slower"
  std::string limitText;   ///< What is predicted to limit this one: "shared memory, 2.06".
  std::string belowText;   ///< The same of the rung below.
  std::string changeText;  ///< The largest change, short.
  std::vector<LadderChange> changes;
  std::string sentence;                 ///< All of it in one sentence.
  std::vector<std::string> paragraphs;  ///< In full.
};

struct LadderView {
  std::vector<LadderRow> rows;  ///< From the lowest rung up; libraries last.
  std::string device, title, origin;
  std::string predictedBy;              ///< Whose rates and whose counts, in a sentence.
  std::string progress;                 ///< While rungs are still counted; else empty.
  std::optional<double> library, peak;  ///< FLOP/s, FP32.
  bool logarithmic = false;
  double high = 0;             ///< The highest number of all, FLOP/s; 0: none.
  std::optional<size_t> best;  ///< The fastest rung of FP32.
};

struct LadderInputs {
  const SweepView* sweep = nullptr;  ///< Of kind ladder.
  std::function<const SweepSample*(const SweepPoint&)> find;
  std::function<const RungCounts*(const SweepPoint&)> counts;
  metrics::DeviceRates rates;
  std::string ratesOrigin;  ///< "NVIDIA H200, measured 2026-11-21"; empty: no device is known.
  std::optional<metrics::Multiprocessor> multiprocessor;
};

[[nodiscard]] LadderView ladderViewOf(const LadderInputs& in);

/// What the words are made of (ladder_story.cpp).
struct LadderStory {
  const LadderRow* below = nullptr;  ///< Null: the lowest rung.
  const LadderRow* row = nullptr;
  const RungCounts* counts = nullptr;
  const SweepSample* sample = nullptr;  ///< Of the row.
  const SweepPoint* point = nullptr;
  uint32_t multiprocessors = 0;
  double schedulers = 0;       ///< Of each; 0: unknown.
  bool sharedCounted = false;  ///< The hardware counted shared memory's wavefronts.
};
[[nodiscard]] std::string limitTextOf(const metrics::Limits& limits);
[[nodiscard]] std::string gainText(const metrics::PredictedGain& gain);
[[nodiscard]] std::string gainText(double gain, metrics::TimeVerdict verdict);
/// "Tunables: TILE_WIDTH 32, PAD 0 (its defaults …)."; empty where the rung has none.
[[nodiscard]] std::string tunablesSentence(const LadderRow& row);
[[nodiscard]] std::string sentenceOf(const LadderStory& story);
[[nodiscard]] std::vector<std::string> paragraphsOf(const LadderStory& story);
/// Three digits at most.
[[nodiscard]] std::string amountText(double value);

}  // namespace tilestep::model
