// SPDX-License-Identifier: Apache-2.0
#include "support/lesson_answers.h"

#include <array>
#include <cstdio>
#include <map>

namespace tilestep::support {
namespace {

constexpr int kWarp = 32, kBanks = 32, kSectorBytes = 32, kFloatBytes = 4;

constexpr int ceilDivided(int count, int by) {
  return (count + by - 1) / by;
}

/// An H200 has 132 multiprocessors, each with up to 2,048 resident threads, so 64 warps.
constexpr int kMultiprocessors = 132, kResidentWarps = 2048 / kWarp;

constexpr int residentBlocks(int threads) {
  return kResidentWarps / ceilDivided(threads, kWarp);
}

/// The number of rounds in which `count` numbers become one.
constexpr int roundsOf(int count) {
  int rounds = 0;
  for (; count > 1; count = ceilDivided(count, 2)) ++rounds;
  return rounds;
}

/// The number of sectors that a warp touches if lane i reads the float `first` + i * `stride`.
constexpr int sectorsOf(int first, int stride) {
  int sectors = 0, before = -1;
  for (int lane = 0; lane < kWarp; ++lane) {
    const int sector = (first + lane * stride) * kFloatBytes / kSectorBytes;
    sectors += sector != before ? 1 : 0;
    before = sector;
  }
  return sectors;
}

std::string number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.10g", value);
  return text.data();
}

std::map<std::string, std::string> all() {
  std::map<std::string, std::string> answers;
  const auto add = [&](const char* step, double value) { answers[step] = number(value); };

  // Four threads make two loads for each of four products.
  add("1-why-tile/what-four-threads-read", 4 * 2 * 4);
  // Each element is read once for each column of N.
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

  // 2 operations for 8 bytes; tiles of 16 x 16 request a sixteenth of the bytes.
  add("5-what-it-buys/on-paper", 86.4 * 2 / 8);
  add("5-what-it-buys/sixteen-times-more", 86.4 * 2 / 8 * 16);
  answers["5-what-it-buys/the-same-kernel-today"] = "caches give most of it";
  // From the recording: times of 0.422 and 0.277 ms; and 73.2 and 74.8 million sectors from L2.
  answers["5-what-it-buys/predict"] = "1.5 times";
  answers["5-what-it-buys/narrow-tiles"] = "about as much";
  add("5-what-it-buys/a-sawtooth", residentBlocks(26 * 26));
  add("5-what-it-buys/when-the-blocks-run",
      (1024 / 16) * (1024 / 16) % (kMultiprocessors * residentBlocks(16 * 16)));

  // Lanes a row apart touch one sector each; neighbours share a sector.
  add("6-the-ladder/a-sector-a-lane", kWarp);
  add("6-the-ladder/neighbours", kWarp * kFloatBytes / kSectorBytes);
  // Rows of 32 slots put a whole column into one of the 32 banks.
  add("6-the-ladder/one-bank", kWarp);
  add("6-the-ladder/a-column-a-thread", 8 * 1);
  add("6-the-ladder/a-patch-a-thread", 8 * 8);
  add("6-the-ladder/two-sets-of-tiles", 0 + 1);
  add("6-the-ladder/lanes-close-together", 8 * 4 + 4 * 4);
  add("6-the-ladder/blocks-close-together", 2 + 2);
  add("6-the-ladder/one-step-ahead", 8 - 1);
  answers["6-the-ladder/what-is-left"] = "P, within a larger error";

  // The warp takes both paths, one after the other; warps that agree take one path.
  add("7-divergence/two-paths-one-warp", 4 + 4);
  answers["7-divergence/what-the-counts-say"] = "the if alone";
  add("7-divergence/warps-that-agree", 0);
  // The two assignments become one selection by a predicate.
  answers["7-divergence/an-if-without-a-branch"] = "none of them";

  // Lanes read 32 floats in a row, or are a row of 64 floats apart.
  add("8-block-shapes/a-warp-is-a-row", sectorsOf(0, 1));
  answers["8-block-shapes/half-a-warp-on-each-row"] = "all of them";
  add("8-block-shapes/the-wrong-way-round", sectorsOf(0, 64));
  // 56.5 GB/s, all of which are requested, exceed 94.7 GB/s * 49.80 %.
  answers["8-block-shapes/which-number-told-you"] = "32 × 16";

  // The second warp begins 32 floats later, at the same offset in its sector.
  add("9-access-patterns/one-element-too-far", sectorsOf(1, 1) + sectorsOf(1 + 32, 1));
  answers["9-access-patterns/what-aligned-means"] = "all multiples of 8";
  add("9-access-patterns/every-second-element", sectorsOf(0, 2));
  add("9-access-patterns/up-to-ten-times", sectorsOf(0, 32) / sectorsOf(0, 1));
  // x, y and z are three floats apart from lane to lane. In the next step each has its own array.
  add("9-access-patterns/an-array-of-structures",
      sectorsOf(0, 3) + sectorsOf(1, 3) + sectorsOf(2, 3));
  add("9-access-patterns/a-structure-of-arrays", 3 * sectorsOf(0, 1));

  add("10-reductions/neighbours", roundsOf(256));
  // The threads of each warp whose index is a multiple of 16.
  add("10-reductions/who-still-works", kWarp / 16);
  add("10-reductions/the-first-threads-work", ceilDivided(64 / 2, kWarp));
  // 32 words, two apart, are in 16 banks.
  add("10-reductions/what-it-costs-instead", kWarp / (kBanks / 2));
  add("10-reductions/halves", 0);
  answers["10-reductions/the-same-in-global-memory"] = "interleaved";
  add("10-reductions/more-work-before-the-first-barrier", ceilDivided(512, 8 * 64));
  add("10-reductions/the-last-warp", roundsOf(64));
  answers["10-reductions/without-the-warp-s-barriers"] = "by luck: it is a race";
  answers["10-reductions/a-barrier-inside-an-if"] =
      "some threads of a block may not reach the barrier";
  answers["10-reductions/what-the-template-removes"] = "the tests of the block's size";

  // The sum is in memory once before four products, and after each.
  add("11-two-scenarios/a-thread-s-own-sum-in-memory", 1 + 4);
  add("11-two-scenarios/a-thread-s-own-sum-in-a-register", 4 * 4);
  answers["11-two-scenarios/a-block-s-sum-in-memory"] = "no, another thread needs it";
  add("11-two-scenarios/a-block-s-sum-shared", 64 + 1);
  answers["11-two-scenarios/what-to-remember"] = "no, only their thread reads them";

  answers["12-timing/the-line-after-the-launch"] = "the launch has been queued";
  answers["12-timing/waiting-for-the-kernel"] = "from the call until the CPU learns of the end";
  answers["12-timing/two-events"] = "by the GPU's clock";
  answers["12-timing/many-launches"] = "the share of events and gaps";
  answers["12-timing/the-first-launch"] = "it pays for what happens once";
  // A register belongs to one thread, and shared memory to one block.
  answers["15-where-values-live/in-registers"] = "only this thread";
  answers["15-where-values-live/in-shared-memory"] = "no, B has its own Mds";
  answers["15-where-values-live/in-global-memory-and-in-caches"] =
      "in the GPU's DRAM, behind the caches";
  answers["15-where-values-live/what-runs-and-what-a-scheduler-chooses-from"] =
      number(kResidentWarps);

  // 64 threads are two warps. The warp that runs first finds the other warp's slots empty.
  answers["13-find-the-bug/a-right-result"] = "yes, this run only went well";
  answers["13-find-the-bug/which-elements"] = "the first warp's";

  // Elements of P of a block of 4 x 4, with 8 products each.
  add("14-the-cube/a-point-for-each-multiply-add", 4 * 4 * 8);
  // The volume of a slab over its projection onto one matrix.
  add("14-the-cube/a-phase-is-a-slab", 4 * 4 * 4 / (4 * 4));
  answers["14-the-cube/the-same-points-without-tiles"] = "as many as the tiled block";
  add("14-the-cube/a-larger-slab", 8 * 8 * 8 / (8 * 8));
  // The last block keeps 6 - 4 rows and columns.
  add("14-the-cube/where-the-cube-ends", (6 - 4) * (6 - 4) * 6);

  // A warp waits for another warp only at barriers, and the loop has none.
  answers["16-your-own-program/why-it-goes-wrong"] = "nothing in this kernel";
  return answers;
}

}  // namespace

std::string lessonAnswer(const std::string& step) {
  const std::map<std::string, std::string> answers = all();
  const auto at = answers.find(step);
  return at == answers.end() ? std::string() : at->second;
}

}  // namespace tilestep::support
