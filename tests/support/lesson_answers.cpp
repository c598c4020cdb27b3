// SPDX-License-Identifier: Apache-2.0
#include "support/lesson_answers.h"

#include <array>
#include <cstdio>
#include <map>

namespace tilestep::support {
namespace {

constexpr int kWarp = 32, kSectorBytes = 32, kFloatBytes = 4;

constexpr int ceilDivided(int count, int by) {
  return (count + by - 1) / by;
}

/// An H200 has 132 multiprocessors, each with up to 2,048 resident threads, so 64 warps.
constexpr int kMultiprocessors = 132, kResidentWarps = 2048 / kWarp;

constexpr int residentBlocks(int threads) {
  return kResidentWarps / ceilDivided(threads, kWarp);
}

std::string number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.10g", value);
  return text.data();
}

std::map<std::string, std::string> all() {
  std::map<std::string, std::string> answers;
  const auto add = [&](const char* step, double value) { answers[step] = number(value); };

  // Four threads of two loads for each of four products.
  add("1-why-tile/what-four-threads-read", 4 * 2 * 4);
  // Once for each column of N.
  add("1-why-tile/how-often-each-element-is-read", 1024);
  add("1-why-tile/wider-tiles", 8);

  // row = by * TILE_WIDTH + ty
  add("2-whose-element/from-a-thread-to-its-element", 1 * 2 + 0);
  answers["2-whose-element/what-does-it-load"] = "M[0][3]";
  add("2-whose-element/follow-one-sum", 2);
  add("2-whose-element/a-warp-is-32-threads", kWarp / 16);

  answers["3-two-barriers/the-first-barrier"] = "slots not yet filled";
  answers["3-two-barriers/the-second-barrier"] = "the one after the sums";
  add("3-two-barriers/right-this-time", ceilDivided(4 * 4, kWarp));

  constexpr int kBlocks = ceilDivided(5, 2), kPhases = ceilDivided(5, 2);
  add("4-edges/five-is-not-a-multiple-of-two", kBlocks * kBlocks * 2 * 2);
  answers["4-edges/what-lies-past-the-end-of-a-row"] = "M[1][0]";
  answers["4-edges/why-the-two-guards-differ"] = "row < m and ph·T + tx < k";
  add("4-edges/what-the-edge-costs", kBlocks * kBlocks * 2 * 2 * kPhases * 2);

  // 2 operations for 8 bytes, of which tiles of 16 x 16 ask for a sixteenth.
  add("5-what-it-buys/on-paper", 86.4 * 2 / 8);
  add("5-what-it-buys/sixteen-times-more", 86.4 * 2 / 8 * 16);
  answers["5-what-it-buys/the-same-kernel-today"] = "caches give most of it";
  // From the times 0.422 and 0.277 ms, and 4.73 times as many sectors, in the recording.
  answers["5-what-it-buys/predict"] = "1.5 times";
  answers["5-what-it-buys/narrow-tiles"] = "more";
  add("5-what-it-buys/a-sawtooth", residentBlocks(26 * 26));
  add("5-what-it-buys/when-the-blocks-run",
      (1024 / 16) * (1024 / 16) % (kMultiprocessors * residentBlocks(16 * 16)));

  // Lanes a row apart touch a sector each; neighbours share one.
  add("6-the-ladder/a-sector-a-lane", kWarp);
  add("6-the-ladder/neighbours", kWarp * kFloatBytes / kSectorBytes);
  // Rows of 32 slots: a column lies in one of 32 banks.
  add("6-the-ladder/one-bank", kWarp);
  add("6-the-ladder/a-column-a-thread", 8 * 1);
  add("6-the-ladder/a-patch-a-thread", 8 * 8);
  add("6-the-ladder/two-sets-of-tiles", 0 + 1);
  add("6-the-ladder/lanes-close-together", 8 * 4 + 4 * 4);
  add("6-the-ladder/blocks-close-together", 2 + 2);
  add("6-the-ladder/one-step-ahead", 8 - 1);
  answers["6-the-ladder/what-is-left"] = "P, within a larger error";

  // Both paths, one after the other; warps that agree take one of them.
  add("7-divergence/two-paths-one-warp", 4 + 4);
  answers["7-divergence/what-the-counts-say"] = "the if alone";
  add("7-divergence/warps-that-agree", 0);
  add("7-divergence/an-if-without-a-branch", 0);

  // 64 threads are two warps. The first one to run finds the slots of the other empty.
  answers["13-find-the-bug/a-right-result"] = "this run went well";
  answers["13-find-the-bug/which-elements"] = "the first warp's";
  return answers;
}

}  // namespace

std::string lessonAnswer(const std::string& step) {
  const std::map<std::string, std::string> answers = all();
  const auto at = answers.find(step);
  return at == answers.end() ? std::string() : at->second;
}

}  // namespace tilestep::support
