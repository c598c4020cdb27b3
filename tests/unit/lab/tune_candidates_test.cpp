// SPDX-License-Identifier: Apache-2.0
#include "lab/tune/tune_candidates.h"

#include <gtest/gtest.h>

#include <set>

#include "support/results.h"
#include "unit/lab/tune_samples.h"

namespace tilestep::lab::tune_candidates_test {

TEST(TuneCandidates, SatisfyTheRules) {
  const auto found = candidatesOf(tunableSpec(), {}, {}, Limits{});
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->combinations, 5U * 5 * 40);
  // A x B of {4, 8, 16, 32, 64}: 22 of 25 products are at most 1024.
  EXPECT_EQ(found->legal.size(), 22U * 40);
  std::set<std::vector<int64_t>> seen;
  for (const Candidate& one : found->legal) {
    EXPECT_LE(one.values[0] * one.values[1], 1024);
    EXPECT_EQ(one.threads, static_cast<uint64_t>(one.values[0] * one.values[1]));
    EXPECT_TRUE(seen.insert(one.values).second);
  }
  EXPECT_EQ(found->operations, 2.0 * 4096 * 4096 * 4096);
}

TEST(TuneCandidates, AnAxisRestrictsOneTunable) {
  const auto found = candidatesOf(tunableSpec(), {}, {{{"C"}, {7, 3, 7}}}, Limits{});
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->values[2], (std::vector<int64_t>{3, 7}));
  EXPECT_EQ(found->legal.size(), 22U * 2);
}

TEST(TuneCandidates, LongRangesAreSampled) {
  compile::KernelSpec spec = tunableSpec();
  spec.tunables[2].maximum = 1000;
  EXPECT_EQ(tuningValues(spec, {})[2],
            (std::vector<int64_t>{1, 2, 4, 5, 8, 16, 32, 64, 128, 256, 512, 1000}))
      << "powers of two, the default and the ends";
  spec.tunables[2].maximum = 40;
  spec.tunables.push_back(spec.tunables[2]);
  spec.tunables.back().name = "D";
  EXPECT_EQ(tuningValues(spec, {})[2], (std::vector<int64_t>{1, 2, 4, 5, 8, 16, 32, 40}))
      << "25 x 40 x 40 are more than 4096";
  compile::KernelSpec stepped = tunableSpec();
  stepped.tunables[2].minimum = 4;
  stepped.tunables[2].maximum = 4003;
  stepped.tunables[2].step = 4;
  stepped.tunables[2].defaultValue = 12;
  const std::vector<int64_t> values = tuningValues(stepped, {})[2];
  for (const int64_t value : values) EXPECT_EQ(value % 4, 0) << value;
  EXPECT_EQ(values.back(), 4000);
}

TEST(TuneCandidates, ZeroOrTooManyCombinationsAreRefused) {
  EXPECT_TRUE(fails(candidatesOf(tunableSpec(), {}, {{{"A"}, {64}}, {{"B"}, {64}}}, Limits{}),
                    ErrorKind::request, "64 x 64 are 4096 threads"));
  compile::KernelSpec spec = tunableSpec();
  for (const char* name : {"D", "E", "F", "G", "H", "I", "J"}) {
    spec.tunables.push_back(spec.tunables[0]);
    spec.tunables.back().name = name;
  }
  EXPECT_TRUE(fails(candidatesOf(spec, {}, {}, Limits{}), "--set"));
}

}  // namespace tilestep::lab::tune_candidates_test
