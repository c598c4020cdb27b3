// SPDX-License-Identifier: Apache-2.0
// The sentences that explain a rung.
#include <array>
#include <cstdio>

#include "base/factor.h"
#include "base/figure.h"
#include "base/library_product.h"
#include "base/percent.h"
#include "base/sentence.h"
#include "features/sweeps/ladder_view.h"
#include "model/text/traffic.h"

namespace tilestep::features {
namespace {

using metrics::Resource;
using metrics::ResourceTime;

/// Below this share of its predicted speed, an uncounted limit is assumed.
constexpr double kFarUnderPeak = 0.6;
/// Above this share, the rung is called faster than predicted.
constexpr double kMore = 1.02;
/// Below this share of the speed of evenly distributed blocks, the imbalance is mentioned.
constexpr double kUneven = 0.9;

std::string flopSpeed(double flopPerSecond) {
  return toText(flopPerSecond, Unit::flopPerSecond);
}

/// The use of the resource per multiply-add of a warp, as part of a sentence.
std::string evidenceOf(const metrics::Limits& limits, const metrics::DeviceRates& rates) {
  const ResourceTime* time = limits.of(limits.limit);
  const std::string amount = (time->atLeast ? "at least " : "") + amountText(time->amount);
  switch (limits.limit) {
    case Resource::fp32:
      return "the multiply-adds themselves keep the FP32 lanes busy";
    case Resource::issue:
      return amount + " instructions for each warp's multiply-add, of which the " +
             amountText(metrics::schedulersOf(rates).value_or(0)) +
             " schedulers issue one each per cycle";
    case Resource::shared:
      return amount + " wavefronts of shared memory for each warp's multiply-add, at one per cycle";
    case Resource::l1:
      return amount + " lines of 128 bytes in L1 for each warp's multiply-add, at one per cycle";
    case Resource::l2:
      return toText(time->amount, Unit::bytes) + " through L2, as the hardware counted";
    case Resource::dram:
      return toText(time->amount, Unit::bytes) +
             (time->atLeast ? " of buffers, each moved once" : ", as the hardware counted");
  }
  return {};
}

std::string titleOf(const LadderRow& row) {
  return row.number.empty() ? row.name : row.number + ", " + row.name;
}

/// The speed that a rung reached, and the conclusion about its predicted limit.
std::string reachedText(const LadderRow& row) {
  if (!row.reached) return {};
  const std::string share = wholePercent(*row.reached);
  if (*row.reached > kMore) {
    const std::string more = "it makes " + share + " of that, more than predicted: ";
    const bool merging = row.merged && *row.merged > kMore * *row.predicted &&
                         row.speed->value <= kMore * *row.merged;
    if (merging)
      return more +
             "the assembler may merge shared loads (merging as many as possible would allow " +
             flopSpeed(*row.merged) + ")";
    if (row.limits->limit == Resource::issue)
      return more + "PTX's instruction counts are an estimate of the machine's";
    return more + "counts of the program as written (PTX), and rates, are estimates";
  }
  if (*row.reached < kFarUnderPeak)
    return "it reaches " + share +
           " of that: something that the counts do not show limits it more, such "
           "as waiting for memory or at barriers";
  return "it reaches " + share + " of that";
}

/// `blocks`: the number of blocks, to mention an imbalance; 0 to omit it.
std::string limitSentence(const LadderInputs& in, const LadderRow& row, uint64_t blocks) {
  const metrics::Limits& limits = *row.limits;
  std::string text = capitalised(toText(limits.limit)) +
                     " is predicted to limit it: " + evidenceOf(limits, in.rates) +
                     ", which allows " + (limits.of(limits.limit)->atLeast ? "at most " : "") +
                     flopSpeed(*row.predicted);
  if (limits.evenness < kUneven && blocks > 0 && in.rates.multiprocessors > 0)
    text += " with " + grouped(blocks) + " blocks on " + grouped(in.rates.multiprocessors) +
            " multiprocessors (" + wholePercent(limits.evenness) + " of what even work would)";
  const std::string reached = reachedText(row);
  return text + (reached.empty() ? "." : "; " + reached + ".");
}

std::string changesText(const LadderRow& row, const char* unit) {
  std::string text;
  for (const LadderChange& change : row.changes)
    if (change.unit == unit) text += (text.empty() ? "" : ", ") + change.text;
  return text;
}

/// In a sentence, an equal speed is followed by what it is compared with.
constexpr FactorWords kAgainstBelow{"slower", "faster", "as fast as the rung below",
                                    "as fast as the rung below"};

std::string rangeText(const metrics::PredictedGain& gain, const FactorWords& words) {
  const std::string low = factorText(gain.low, 1, words), high = factorText(gain.high, 1, words);
  if (low == high) return low;
  if (isNearly(gain.low, 1)) return "at most " + high;
  if (isNearly(gain.high, 1)) return "at most " + low;
  return low + " to " + high;
}

std::string predictedWords(const LadderRow& row) {
  return "predicted " + rangeText(*row.predictedGain, kAgainstBelow);
}

std::string measuredWords(const LadderRow& row) {
  return row.verdict == metrics::TimeVerdict::notTold
             ? "measured " + std::string(kAgainstBelow.same) + ", no significant difference"
             : "measured " + factorText(*row.measuredGain, 1, kAgainstBelow);
}

std::string gainsText(const LadderRow& row, const LadderRow& below) {
  std::string text;
  if (row.predictedGain)
    text += predictedWords(row) + " (" + flopSpeed(*below.predicted) + " → " +
            flopSpeed(*row.predicted) + ")";
  if (row.measuredGain)
    text += (text.empty() ? "" : ", ") + measuredWords(row) + " (" + flopSpeed(below.speed->value) +
            " → " + flopSpeed(row.speed->value) + ")";
  return text.empty() ? text : capitalised(text) + ".";
}

/// Facts from the machine code and from the clocks.
std::string machineText(const LadderRow& row, const SweepSample* sample) {
  std::string text;
  const auto put = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (row.registers) put(std::to_string(*row.registers) + " registers per thread");
  if (row.occupancy) put("occupancy " + toText(*row.occupancy, Unit::ratio));
  if (sample != nullptr && sample->achieved)
    put("achieved " + toText(*sample->achieved, Unit::ratio) + " (measured)");
  if (sample != nullptr && sample->waitShare)
    put("a warp waits at barriers for " + wholePercent(*sample->waitShare) +
        " of its cycles (its timeline)");
  return text.empty() ? text : capitalised(text) + ".";
}

std::string sharesText(const LadderRow& row) {
  std::string text = row.speed ? flopSpeed(row.speed->value) : std::string();
  if (row.ofLibrary) {
    const std::string_view library = row.otherPrecision ? kCublasTf32 : kCublasFp32;
    text += ", " + wholePercent(*row.ofLibrary) + " of cuBLAS (" +
            std::string(libraryMode(library)) + ")";
  }
  if (row.ofPeak) text += ", " + wholePercent(*row.ofPeak) + " of the FP32 ceiling";
  return text;
}

std::string copiesText(const RungCounts& counts, bool hardware) {
  const std::string shared =
      hardware ? " Shared wavefronts are by the GPU's own counters of loads and stores, which may "
                 "leave out what copies write."
               : "";
  if (!counts.work.copiesUncounted)
    return counts.copies && hardware ? "Its loads are asynchronous copies." + shared : "";
  return "Its loads are asynchronous copies that the count leaves out: " +
         std::string(hardware ? "L1 does at least the reported work."
                              : "L1 and shared memory do at least the reported work, because their "
                                "part is left out.") +
         shared;
}

/// A summary in one sentence.
std::string sentenceOf(const LadderRow& row, const LadderRow* below) {
  if (!row.gap.empty() && !row.predicted) return row.name + ": " + row.gap + ".";
  if (row.library) return row.name + ": " + sharesText(row) + ", the mark to reach.";
  std::string text = capitalised(row.name) + ": ";
  if (row.otherPrecision) return text + sharesText(row) + ". It is not to be compared with FP32.";
  if (below != nullptr && below->limits)
    text += "below, " + below->limitText + " was the predicted limit; ";
  if (!row.changeText.empty()) text += row.changeText + "; ";
  if (row.predictedGain) text += predictedWords(row) + ", ";
  text += row.measuredGain                         ? measuredWords(row)
          : row.speed                              ? sharesText(row)
          : row.state == SweepCell::State::missing ? "no time"
                                                   : row.gap;
  return text + ".";
}

}  // namespace

std::string amountText(double value) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), value >= 1000 ? "%.0f" : "%.3g", value);
  return text.data();
}

std::string limitTextOf(const metrics::Limits& limits) {
  const ResourceTime* time = limits.of(limits.limit);
  const std::string amount = (time->atLeast ? "at least " : "") + amountText(time->amount);
  switch (limits.limit) {
    case Resource::issue:
      return "issue, " + amount + " instructions";
    case Resource::shared:
      return "shared, " + amount + " wavefronts";
    case Resource::l1:
      return "L1, " + amount + " lines";
    default:
      return toText(limits.limit);
  }
}

std::string gainText(const metrics::PredictedGain& gain) {
  return rangeText(gain, kSpeedWords);
}

std::string gainText(double gain, metrics::TimeVerdict verdict) {
  return verdict == metrics::TimeVerdict::notTold ? "as fast, no significant difference"
                                                  : factorText(gain, 1, kSpeedWords);
}

std::string tunablesSentence(const LadderRow& row) {
  return row.tunables.empty() ? std::string()
                              : "Tunables: " + row.tunables + " (" + row.from.sentence + ").";
}

void explain(const LadderInputs& in, LadderRow& row, const LadderRow* below, bool hardware) {
  row.sentence = sentenceOf(row, below);
  const auto put = [&](const std::string& before, const std::string& text, const char* after = "") {
    if (!text.empty()) row.paragraphs.push_back(before + text + after);
  };
  put(titleOf(row) + ": ", sharesText(row), ".");
  put("", row.gap.empty() ? "" : capitalised(row.gap), ".");
  if (row.library) return;
  if (row.otherPrecision) {
    put("", tunablesSentence(row));
    put("",
        "It multiplies on tensor cores: its speed is not to be compared with FP32, and no "
        "limit is predicted.");
    return;
  }
  const SweepPoint& point = in.sweep->plan->points[in.sweep->cells[row.cell].point];
  const RungCounts* counts = in.counts(point);
  if (counts != nullptr) put("It could not be counted: ", counts->reason);
  if (below != nullptr && below->limits)
    put("Below, " + titleOf(*below) + ": ", limitSentence(in, *below, 0));
  put("Changed for each warp's multiply-add: ", changesText(row, "a warp's multiply-add"), ".");
  put("Changed in the launch: ", changesText(row, ""), ".");
  if (below != nullptr) put("", gainsText(row, *below));
  if (row.limits) put("Here: ", limitSentence(in, row, point.blocks));
  put("", tunablesSentence(row));
  put("", machineText(row, in.find(point)));
  if (counts != nullptr) put("", copiesText(*counts, hardware));
}

}  // namespace tilestep::features
