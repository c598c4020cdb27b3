// SPDX-License-Identifier: Apache-2.0
// Mutates the golden PTX texts, always with the same sequence, and applies checkPtx to every
// result.
#include <gtest/gtest.h>

#include "fuzz/checks.h"
#include "fuzz/found.h"
#include "fuzz/text_mutator.h"

namespace tilestep::fuzz::ptx_fuzz_test {

constexpr int kInputs = 6000;

TEST(PtxFuzz, EverySeedHolds) {
  const std::vector<std::string> seeds = goldenTexts();
  ASSERT_GT(seeds.size(), 20U);
  for (const std::string& seed : seeds) EXPECT_EQ(checkPtx(seed), "") << seed;
}

TEST(PtxFuzz, InputsFoundByLibFuzzerHold) {
  const auto found = foundTexts("ptx");
  EXPECT_GT(found.size(), 20U);
  for (const std::string& text : found) EXPECT_EQ(checkPtx(text), "") << text;
}

TEST(PtxFuzz, EveryMutationIsRefusedWithItsPlaceOrRoundTrips) {
  TextMutator mutator(goldenTexts());
  for (int i = 0; i < kInputs; ++i) {
    const std::string text = mutator.next();
    ASSERT_EQ(checkPtx(text), "") << "input " << i << ":\n" << text;
  }
}

}  // namespace tilestep::fuzz::ptx_fuzz_test
