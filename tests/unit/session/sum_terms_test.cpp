// SPDX-License-Identifier: Apache-2.0
#include "session/sum_terms.h"

#include <gtest/gtest.h>

#include "support/source_root.h"
#include "unit/session/session_fixture.h"

namespace tilestep::session {
namespace {

/// Block (0, 0) of the tiled product, of `size` squared matrices in tiles of `tile`.
std::shared_ptr<const Side> sideOf(int64_t size, int64_t tile) {
  compile::CatalogueEntry entry;
  entry.source = compile::findKernel(support::sourceRoot() + "/kernels", "matmul_tiled").value();
  entry.spec = compile::parseKernel(entry.source).value();
  lab::Experiment experiment;
  experiment.source = entry.source;
  experiment.sizes = {{"m", size}, {"n", size}, {"k", size}};
  experiment.tunables = {{"TILE_WIDTH", tile}};
  experiment.device = "simt";
  experiment.measure = false;
  experiment.traceBlock = Dim3{0, 0, 0};
  return makeSide(entry, toyResult(experiment), 1, tile);
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
  EXPECT_EQ(termsText(of(3, 3)), "no element: it adds zeros alone");
}

TEST(SumTerms, WithNoEdgeNothingChanges) {
  const auto side = sideOf(4, 2);
  const TermCounter counter(*side);
  for (uint32_t thread = 0; thread < 4; ++thread)
    EXPECT_EQ(termsText(counter.termsOf(*side->end.findAccumulator(thread, 0))), "4 of 4 terms");
}

}  // namespace
}  // namespace tilestep::session
