// SPDX-License-Identifier: Apache-2.0
#include "features/first_minute/minute.h"

#include <algorithm>
#include <cmath>

#include "base/factor.h"
#include "base/figure.h"

namespace tilestep::features {
namespace {

/// "3.2 times slower"
std::string speedupText(double speedup) {
  return factorText(1, speedup, kTimeWords);
}

/// "3.2 times slower than", "as fast as"
std::string conjunction(const std::string& change) {
  return change.starts_with("as") ? "as " : "than ";
}

/// Rounds to two digits, because an offered answer need not be exact: 1.5 instead of 1.52.
double twoDigits(double value) {
  const double unit = std::pow(10, std::floor(std::log10(value)) - 1);
  return std::round(value / unit) * unit;
}

std::vector<double> offered(const MinuteFigures& figures) {
  const double right = figures.speedup.value_or(1), loads = static_cast<double>(figures.width);
  std::vector<double> all{right};
  // The speedup suggested by the loads, half of it, and fallback guesses.
  for (const double guess : {loads, std::sqrt(loads), 2.0, 1.0, 64.0}) {
    const bool differs = std::ranges::all_of(
        all, [guess](double other) { return std::max(guess / other, other / guess) >= 4.0 / 3; });
    if (all.size() < 3 && differs) all.push_back(guess);
  }
  std::ranges::sort(all);
  return all;
}

/// Explains why the other kernel's extra loads cost little. Empty if the traffic was not counted,
/// or if the L1 caches do not serve most of the loads.
std::string servedText(const MinuteFigures& figures) {
  if (!figures.otherAskedBytes || !figures.otherL2Bytes) return {};
  constexpr double kFew = 0.25;
  if (*figures.otherL2Bytes > kFew * *figures.otherAskedBytes) return {};
  return " The lanes of " + figures.other + " request " +
         toText(*figures.otherAskedBytes, Unit::bytes) + ", but only " +
         toText(*figures.otherL2Bytes, Unit::bytes) +
         " are read from L2: lanes share loads, and the L1 caches serve most requests.";
}

std::string answerText(const MinuteFigures& figures) {
  if (!figures.speedup) return figures.missing;
  const double right = *figures.speedup;
  std::string text = "With " + figures.sizes + ", " + figures.otherLaunch + " reaches " +
                     figures.otherSpeed + " and " + figures.kernel + " " + figures.speed + ": **" +
                     speedupText(right) + "**";
  const bool less = right < 0.7 * static_cast<double>(figures.width);
  if (less) text += ", not " + std::to_string(figures.width) + " times";
  text += ".";
  if (less) text += servedText(figures);
  return text + " (" + figures.origin + ")";
}

/// The elements that the thread needs; empty before the first trace.
std::string needsText(const MinuteFigures& f) {
  if (f.kernel.empty()) return {};
  const std::string width = std::to_string(f.width);
  return " In this phase, the thread needs " + width + " elements of M and " + width +
         " of N. In " + f.other + " it loads all of them; in " + f.kernel +
         " it loads one of each, and other threads load the rest.";
}

std::string whyText(const MinuteFigures& figures) {
  if (!figures.speedup) return figures.missing;
  const std::string width = std::to_string(figures.width);
  const std::string wide = std::to_string(figures.wideWidth);
  std::string text = "With tiles of " + width + " × " + width + ", " + figures.kernel;
  if (!figures.againstWide.empty())
    text += " is **" + figures.againstWide + "** " + conjunction(figures.againstWide) +
            "with tiles of " + wide + " × " + wide + ", and";
  const std::string change = speedupText(*figures.speedup);
  return text + " is " + change + " " + conjunction(change) + figures.otherLaunch +
         ". A warp has 32 lanes, and a block of " + width + " × " + width + " fills only " +
         std::to_string(figures.threads) +
         " of them: **half of each warp idles**. Each loaded element serves only " + width +
         " threads" + (figures.againstWide.empty() ? "" : " instead of " + wide) + ".";
}

}  // namespace

bool hasPart(MinutePart part, const MinuteFigures& figures) {
  const bool speeds =
      part == MinutePart::answer || part == MinutePart::narrow || part == MinutePart::why;
  return !speeds || figures.speedup.has_value();
}

std::string textOf(MinutePart part, const MinuteFigures& f) {
  const std::string loads = grouped(f.loads), other = grouped(f.otherLoads);
  const std::string width = std::to_string(f.width), wide = std::to_string(kWideTile);
  switch (part) {
    case MinutePart::alone:
      return "Two kernels multiply the same matrices, P = M × N. **Thread (0, 0)** computes one "
             "element of P." +
             needsText(f);
    case MinutePart::together:
      return "All " + std::to_string(f.threads) + " threads of the block together: " + f.other +
             " requests **" + other + "** elements from global memory, and " + f.kernel +
             " requests **" + loads + "**.";
    case MinutePart::reuse:
      return "The reason is that " + f.kernel +
             " loads each element **once** into shared memory, the small " +
             "fast memory of a block, where " + width + " threads read it. " + "In " + f.other +
             ", each of these threads loads it from the GPU's large global memory.";
    case MinutePart::widen:
      return "Now wider tiles: drag `TILE_WIDTH` to **" + wide + "**, or press Space.";
    case MinutePart::guess:
      return "Tiles of width " + width + ": " + other + " loads against " + loads + ", **" + width +
             " times fewer**. " +
             (f.speedup ? "How much faster is that? Guess."
                        : "Only a GPU or a recording of one can show the speedup.");
    case MinutePart::answer:
      return answerText(f);
    case MinutePart::narrow:
      return "Drag `TILE_WIDTH` back to **" + std::to_string(kNarrowTile) +
             "**, or press Space, and watch the dot in the plot." +
             (f.note.empty() ? "" : " " + f.note);
    case MinutePart::why:
      return whyText(f);
    case MinutePart::end:
      break;
  }
  return "That is what this program shows, for your own kernels as well. Go on with one of these.";
}

std::vector<std::string> guessesOf(const MinuteFigures& figures) {
  std::vector<std::string> texts;
  if (!figures.speedup) return texts;
  for (const double guess : offered(figures)) texts.push_back(speedupText(twoDigits(guess)));
  return texts;
}

size_t rightGuess(const MinuteFigures& figures) {
  const std::vector<double> all = offered(figures);
  const auto at = std::ranges::find(all, figures.speedup.value_or(1));
  return static_cast<size_t>(at - all.begin());
}

}  // namespace tilestep::features
