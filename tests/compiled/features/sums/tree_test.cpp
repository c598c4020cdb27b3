// SPDX-License-Identifier: Apache-2.0
#include "features/sums/tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "features/sums/text.h"
#include "support/results.h"
#include "unit/features/divergence/traced_here.h"

namespace tilestep::features::sum_tree_test {

std::shared_ptr<const TracedKernel> traced(const std::string& kernel, int64_t n, int64_t block) {
  return tracedHere(kernel, {{"n", n}}, {{"BLOCK", block}});
}

std::vector<std::string> namesOf(const SumTree& tree) {
  std::vector<std::string> names;
  for (const SumRow& row : tree.rows) names.push_back(rowName(row));
  return names;
}

template <class Value>
std::vector<uint64_t> each(const SumTree& tree, Value value) {
  std::vector<uint64_t> all;
  for (const SumRow& row : tree.rows) all.push_back(value(row));
  return all;
}
std::vector<uint64_t> sumsOf(const SumTree& tree) {
  return each(tree, [](const SumRow& row) { return row.sums.size(); });
}
std::vector<uint64_t> neededOf(const SumTree& tree) {
  return each(tree, [](const SumRow& row) { return row.needed; });
}
std::vector<uint64_t> warpsOf(const SumTree& tree) {
  return each(tree, [](const SumRow& row) { return row.warps(); });
}
template <class Value>
uint64_t totalOf(const SumTree& tree, Value value) {
  const std::vector<uint64_t> all = each(tree, value);
  return std::accumulate(all.begin(), all.end(), uint64_t{0});
}

using Counts = std::vector<uint64_t>;
using Names = std::vector<std::string>;

TEST(SumTree, NeighboursKeepBothWarpsAtWork) {
  const auto kernel = traced("reduce_neighbored", 64, 64);
  ASSERT_TRUE(kernel);
  const SumTree tree = sumTreeOf(*kernel);
  EXPECT_EQ(tree.array, "sums");
  EXPECT_TRUE(tree.shared);
  EXPECT_EQ(tree.count, 64U);
  EXPECT_EQ(tree.unexplained, 0U);
  EXPECT_EQ(namesOf(tree), (Names{"load", "distance 1", "distance 2", "distance 4", "distance 8",
                                  "distance 16", "distance 32", "result"}));
  EXPECT_EQ(sumsOf(tree), (Counts{64, 32, 16, 8, 4, 2, 1, 1}));
  EXPECT_EQ(neededOf(tree), sumsOf(tree));
  EXPECT_EQ(warpsOf(tree), (Counts{2, 2, 2, 2, 2, 2, 1, 1}));
  EXPECT_EQ(totalOf(tree, [](const SumRow& row) { return row.additions; }), 63U);
}

TEST(SumTree, EachSumAddsTheElementAtTheDistance) {
  const auto kernel = traced("reduce_neighbored", 64, 64);
  ASSERT_TRUE(kernel);
  const SumTree tree = sumTreeOf(*kernel);
  for (size_t r = 1; r + 1 < tree.rows.size(); ++r) {
    const uint32_t distance = 1U << (r - 1);
    ASSERT_EQ(tree.rows[r].distances, std::vector<uint32_t>{distance});
    for (const size_t index : tree.rows[r].sums) {
      const Sum& sum = tree.sums[index];
      ASSERT_EQ(sum.terms.size(), 2U);
      const uint32_t column = tree.column(sum.place);
      EXPECT_EQ(column, sum.thread);
      EXPECT_EQ(column % (2 * distance), 0U);
      const uint32_t a = tree.column(sum.terms[0].place), b = tree.column(sum.terms[1].place);
      EXPECT_EQ(std::min(a, b), column);
      EXPECT_EQ(std::max(a, b), column + distance);
      EXPECT_EQ(static_cast<float>(sum.value),
                static_cast<float>(sum.terms[0].value) + static_cast<float>(sum.terms[1].value));
    }
  }
}

TEST(SumTree, TheFirstThreadsTakeThePairsAndConflict) {
  const auto kernel = traced("reduce_neighbored_less", 256, 256);
  ASSERT_TRUE(kernel);
  const SumTree tree = sumTreeOf(*kernel);
  EXPECT_EQ(warpsOf(tree), (Counts{8, 4, 2, 1, 1, 1, 1, 1, 1, 1}));
  // 65,536 numbers are 256 such blocks. A round has two loads and a store.
  constexpr uint64_t kOfLoads = 17'920 / 256, kOfStores = kOfLoads / 2;
  EXPECT_EQ(kernel->result->counters->total.sharedLoad.bankConflicts, kOfLoads);
  EXPECT_EQ(totalOf(tree, [](const SumRow& row) { return row.conflicts; }), kOfLoads + kOfStores);
}

TEST(SumTree, TheLastWarpMakesUnneededSums) {
  for (const char* name : {"reduce_unroll_warp", "reduce_unroll_complete", "reduce_templated"}) {
    SCOPED_TRACE(name);
    const auto kernel = traced(name, 512, 64);
    ASSERT_TRUE(kernel);
    const SumTree tree = sumTreeOf(*kernel);
    EXPECT_EQ(namesOf(tree), (Names{"load", "distance 32", "distance 16", "distance 8",
                                    "distance 4", "distance 2", "distance 1"}));
    EXPECT_EQ(sumsOf(tree), (Counts{64, 32, 32, 32, 32, 32, 1}));
    EXPECT_EQ(neededOf(tree), (Counts{64, 32, 16, 8, 4, 2, 1}));
    EXPECT_EQ(tree.rows.front().additions, 7U * 64) << "eight elements a thread";
    EXPECT_EQ(tree.rows.back().step, SumStep::result);
    // One lane stores. The compiler decides whether all lanes load, or only that lane.
    const uint32_t threads = tree.rows.back().threads();
    EXPECT_TRUE(threads == 32 || threads == 1) << threads;
    EXPECT_EQ(distancesText(tree.rows[3]), "8, 24") << "the last lanes wrap around";
  }
}

TEST(SumTree, CountsEqualTheInterpreters) {
  for (const char* name : {"reduce_neighbored", "reduce_neighbored_less", "reduce_interleaved",
                           "reduce_unroll2", "reduce_unroll8", "reduce_unroll_warp"}) {
    SCOPED_TRACE(name);
    const int64_t perThread = std::string(name).ends_with("2") ? 2 : 8;
    const bool unrolls = std::string(name).find("unroll") != std::string::npos;
    const auto kernel = traced(name, unrolls ? 128 * perThread : 128, 128);
    ASSERT_TRUE(kernel);
    const SumTree tree = sumTreeOf(*kernel);
    const trace::Counters& total = kernel->result->counters->total;
    EXPECT_EQ(totalOf(tree, [](const SumRow& row) { return row.wavefronts; }),
              total.sharedLoad.wavefronts + total.sharedStore.wavefronts);
    EXPECT_EQ(totalOf(tree, [](const SumRow& row) { return row.conflicts; }),
              total.sharedLoad.bankConflicts + total.sharedStore.bankConflicts);
    EXPECT_EQ(totalOf(tree, [](const SumRow& row) { return row.sectors; }),
              total.globalLoad.sectors + total.globalStore.sectors);
  }
}

TEST(SumTree, SumsInGlobalMemoryAreFoundAsWell) {
  uint64_t sectors[3] = {};
  const char* names[] = {"reduce_global_neighbored", "reduce_global_neighbored_less",
                         "reduce_global_interleaved"};
  for (size_t i = 0; i < 3; ++i) {
    SCOPED_TRACE(names[i]);
    const auto kernel = traced(names[i], 64, 64);
    ASSERT_TRUE(kernel);
    const SumTree tree = sumTreeOf(*kernel);
    EXPECT_EQ(tree.array, "work");
    EXPECT_FALSE(tree.shared);
    EXPECT_EQ(sumsOf(tree), (Counts{64, 32, 16, 8, 4, 2, 1, 1}));
    const trace::Counters& total = kernel->result->counters->total;
    sectors[i] = totalOf(tree, [](const SumRow& row) { return row.sectors; });
    EXPECT_EQ(sectors[i], total.globalLoad.sectors + total.globalStore.sectors);
  }
  EXPECT_EQ(sectors[0], sectors[1]) << "other threads, the same elements";
  EXPECT_LT(sectors[2], sectors[0]);
}

TEST(SumTexts, NameThreadsAndElements) {
  const auto kernel = traced("reduce_neighbored_less", 64, 64);
  ASSERT_TRUE(kernel);
  const SumTree tree = sumTreeOf(*kernel);
  const auto sentence = [&](size_t row, std::optional<uint32_t> thread) {
    return rowSentence(*kernel, tree, tree.rows[row], thread);
  };
  EXPECT_TRUE(sentence(0, {}).starts_with(
      "64 threads of 2 warps load an element each and store it in `sums`."));
  const std::string third = sentence(3, 2U);
  EXPECT_TRUE(
      third.starts_with("**Distance 4:** 8 of 64 threads, in 1 of 2 warps, add. "
                        "Thread 2: `sums[16] = "))
      << third;
  EXPECT_TRUE(has(third, "sums[20]"));
  EXPECT_TRUE(sentence(7, {}).starts_with("Thread 0 stores the result. `out[0] = sums[0] = "));
}

}  // namespace tilestep::features::sum_tree_test
