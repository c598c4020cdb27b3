// SPDX-License-Identifier: Apache-2.0
#include "model/text/sum_terms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "features/names.h"
#include "lab/lab.h"
#include "support/source_root.h"
#include "unit/model/session_fixture.h"

namespace tilestep::features::sum_terms_test {

/// A kernel's entry, and the experiment for block (0, 0).
std::pair<compile::CatalogueEntry, lab::Experiment> askedOf(const std::string& kernel,
                                                            const compile::Bindings& sizes,
                                                            const compile::Bindings& tunables) {
  compile::CatalogueEntry entry;
  entry.source = compile::findKernel(support::sourceRoot() + "/kernels", kernel).value();
  entry.spec = compile::parseKernel(entry.source).value();
  lab::Experiment experiment;
  experiment.source = entry.source;
  experiment.sizes = sizes;
  experiment.tunables = tunables;
  experiment.device = "simt";
  experiment.measure = false;
  experiment.traceBlock = Dim3{0, 0, 0};
  return {entry, experiment};
}

/// The tiled product of two `size` x `size` matrices in tiles of width `tile`.
std::shared_ptr<const TracedKernel> sideOf(int64_t size, int64_t tile) {
  const auto [entry, experiment] =
      askedOf("matmul_tiled", {{"m", size}, {"n", size}, {"k", size}}, {{"TILE_WIDTH", tile}});
  return traceKernel(entry, lab::shared(toyResult(experiment)), 1, tile);
}

TEST(SumTerms, AFiveTermSumHasFiveTermsInTilesOfTwo) {
  const auto side = sideOf(5, 2);
  const TermCounter counter(*side);
  const trace::Accumulator* sum = side->end.findAccumulator(0, 0);
  ASSERT_NE(sum, nullptr);
  ASSERT_EQ(sum->updates, 6U) << "the last tile is half beyond the edge";
  EXPECT_EQ(termsText(counter.termsOf(*sum)), "5 of 5 terms");
  trace::Accumulator before = *sum;
  before.updates = 4;
  EXPECT_EQ(termsText(counter.termsOf(before)), "4 of 5 terms");
  EXPECT_EQ(counter.atMost(6), 5U);
}

TEST(SumTerms, AThreadWithoutAnElementIsIdle) {
  const auto side = sideOf(3, 4);
  const TermCounter counter(*side);
  const auto of = [&](uint32_t x, uint32_t y) {
    return counter.termsOf(*side->end.findAccumulator(y * 4 + x, 0));
  };
  EXPECT_FALSE(of(2, 2).idle);
  EXPECT_EQ(of(2, 2).of, 3U);
  EXPECT_TRUE(of(3, 0).idle);
  EXPECT_TRUE(of(0, 3).idle);
  EXPECT_EQ(termsText(of(3, 3)), "no element");
}

/// The ladder's sixth rung in the interpreter, with patches of 4 × 4 elements.
std::shared_ptr<const TracedKernel> patches(int64_t rows, int64_t k) {
  const auto [entry, experiment] =
      askedOf("rung06_patch_a_thread", {{"m", rows}, {"n", rows}, {"k", k}},
              {{"TILE_M", 16}, {"TILE_N", 16}, {"TILE_K", 4}, {"ROWS", 4}, {"COLS", 4}});
  lab::Lab interpreter({support::sourceRoot(), "", 1});
  auto result = interpreter.run(experiment, {}, {});
  return result ? traceKernel(entry, lab::shared(std::move(*result)), 1, 4) : nullptr;
}

TEST(SumTerms, EachSumOfAPatchAtTheEdgeIsJudgedSeparately) {
  const auto side = patches(14, 5);
  ASSERT_NE(side, nullptr);
  ASSERT_EQ(side->replay->recording().accumulators, 16U);
  const TermCounter counter(*side);
  const auto idleSums = [&](uint32_t thread) {
    int idle = 0;
    for (int16_t sum = 0; sum < 16; ++sum)
      idle += counter.termsOf(*side->end.findAccumulator(thread, sum)).idle ? 1 : 0;
    return idle;
  };
  EXPECT_EQ(idleSums(0), 0);
  EXPECT_EQ(idleSums(3), 8) << "columns 14 and 15 of four rows are past the edge";
  EXPECT_EQ(idleSums(12), 8) << "rows 14 and 15 of four columns";
  EXPECT_EQ(idleSums(15), 12) << "four elements are left";
  for (uint32_t thread = 0; thread < 16; ++thread) {
    const auto made = std::ranges::count(side->end.outputs, thread, &trace::OutputElement::writer);
    EXPECT_EQ(idleSums(thread), 16 - made) << "thread " << thread;
  }
}

TEST(SumTerms, ASumWithUnknownStoresIsNotIdle) {
  const auto side = sideOf(3, 4);
  TracedKernel unknown = *side;
  unknown.sumsStored = {{}};
  const TermCounter counter(unknown);
  const SumTerms terms = counter.termsOf(*side->end.findAccumulator(3, 0));
  EXPECT_EQ(termsText(terms), "3 of 3 terms");
}

TEST(SumTerms, WithNoEdgeNothingChanges) {
  const auto side = sideOf(4, 2);
  const TermCounter counter(*side);
  for (uint32_t thread = 0; thread < 4; ++thread)
    EXPECT_EQ(termsText(counter.termsOf(*side->end.findAccumulator(thread, 0))), "4 of 4 terms");
}

}  // namespace tilestep::features::sum_terms_test
