// SPDX-License-Identifier: Apache-2.0
#include "lab/tune/tune_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "unit/lab/tune_samples.h"

namespace tilestep::lab::tune_search_test {

using Landscape = std::function<std::optional<double>(const std::vector<int64_t>&)>;

Candidates legal(int64_t mostC = 40) {
  compile::KernelSpec spec = tunableSpec();
  spec.tunables[2].maximum = mostC;
  return candidatesOf(spec, {}, {}, Limits{}).value();
}

/// The fastest is A = 32, B = 8, C = 21; times grow with the distance from it.
std::optional<double> valley(const std::vector<int64_t>& v) {
  return 1 + std::abs(std::log2(static_cast<double>(v[0]) / 32)) +
         std::abs(std::log2(static_cast<double>(v[1]) / 8)) +
         std::abs(static_cast<double>(v[2] - 21)) / 10;
}

/// Runs the whole search. Returns the candidates in the order in which they were tried.
std::vector<size_t> run(TuneSearch& search, const Candidates& candidates,
                        const Landscape& landscape) {
  std::vector<size_t> tried;
  for (auto batch = search.nextBatch(); !batch.empty(); batch = search.nextBatch()) {
    for (const size_t one : batch) {
      tried.push_back(one);
      search.tell(one, landscape(candidates.legal[one].values));
    }
  }
  return tried;
}

TEST(TuneSearch, FewCandidatesAreAllTriedOnceInOrder) {
  const Candidates candidates = legal(4);
  TuneSearch search(candidates, {}, {7, 3, 7}, {});
  const auto tried = run(search, candidates, valley);
  EXPECT_EQ(tried.size(), candidates.legal.size());
  EXPECT_EQ(std::set<size_t>(tried.begin(), tried.end()).size(), tried.size());
  EXPECT_EQ(tried[0], 7U);
  EXPECT_EQ(tried[1], 3U);
  EXPECT_EQ(candidates.legal[*search.best()].values, (std::vector<int64_t>{32, 8, 4}));
}

TEST(TuneSearch, TheMinimumAmongManyIsFoundWithoutTryingAll) {
  const Candidates candidates = legal();
  for (uint64_t seed = 1; seed < 20; ++seed) {
    TuneSearch search(candidates, {}, {0}, {.seed = seed});
    const auto tried = run(search, candidates, valley);
    EXPECT_EQ(candidates.legal[*search.best()].values, (std::vector<int64_t>{32, 8, 21})) << seed;
    EXPECT_LT(tried.size(), candidates.legal.size() / 2) << seed;
  }
}

TEST(TuneSearch, StepsOfTwoTunablesCrossARidge) {
  // Fast candidates have A x B = 256, so changing one tunable alone is always slower.
  const Candidates candidates = legal(1);
  const Landscape ridge = [](const auto& v) {
    return std::optional(v[0] * v[1] == 256 ? static_cast<double>(v[0]) : 1000.0);
  };
  const auto last =
      std::ranges::find(candidates.legal, std::vector<int64_t>{64, 4, 1}, &Candidate::values);
  TuneSearch search(candidates, {}, {static_cast<size_t>(last - candidates.legal.begin())},
                    {.all = 5, .sample = 1, .leaders = 1});
  run(search, candidates, ridge);
  EXPECT_EQ(candidates.legal[*search.best()].values, (std::vector<int64_t>{4, 64, 1}));
}

TEST(TuneSearch, TheSameSeedGivesTheSameOrder) {
  const Candidates candidates = legal();
  TuneSearch one(candidates, {}, {}, {.seed = 5}), same(candidates, {}, {}, {.seed = 5}),
      other(candidates, {}, {}, {.seed = 6});
  const auto order = run(one, candidates, valley);
  EXPECT_EQ(run(same, candidates, valley), order);
  EXPECT_NE(run(other, candidates, valley), order);
}

TEST(TuneSearch, AClosedCandidateIsNeverTried) {
  const Candidates candidates = legal();
  std::vector<bool> open(candidates.legal.size(), true);
  for (size_t i = 0; i < open.size(); i += 2) open[i] = false;
  TuneSearch search(candidates, open, {0, 1}, {});
  for (const size_t one : run(search, candidates, valley)) EXPECT_EQ(one % 2, 1U);
}

TEST(TuneSearch, FailedCandidatesAreIgnored) {
  const Candidates candidates = legal();
  TuneSearch search(candidates, {}, {}, {});
  run(search, candidates, [](const auto& v) { return v[0] == 32 ? std::nullopt : valley(v); });
  ASSERT_TRUE(search.best());
  EXPECT_NE(candidates.legal[*search.best()].values[0], 32);
  TuneSearch none(candidates, {}, {}, {});
  const auto tried = run(none, candidates, [](const auto&) { return std::optional<double>(); });
  EXPECT_EQ(tried.size(), 64U) << "the sample, and no neighbours";
  EXPECT_FALSE(none.best());
  EXPECT_TRUE(none.finalists().empty());
}

TEST(TuneSearch, TheFastestQuarterAreFinalists) {
  const Candidates candidates = legal(1);
  TuneSearch search(candidates, {}, {}, {});
  run(search, candidates, valley);
  ASSERT_EQ(search.timed(), 22U);
  const auto finalists = search.finalists();
  ASSERT_EQ(finalists.size(), 6U);
  for (size_t i = 1; i < finalists.size(); ++i) {
    EXPECT_LE(valley(candidates.legal[finalists[i - 1]].values),
              valley(candidates.legal[finalists[i]].values));
  }
}

}  // namespace tilestep::lab::tune_search_test
