// SPDX-License-Identifier: Apache-2.0
#include "features/barriers/barriers.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/results.h"
#include "support/source_root.h"
#include "unit/model/session_fixture.h"

namespace tilestep::features::barriers_test {

compile::CatalogueEntry tiledKernel() {
  compile::CatalogueEntry entry;
  entry.source = compile::findKernel(support::sourceRoot() + "/kernels", "matmul_tiled").value();
  entry.spec = compile::parseKernel(entry.source).value();
  return entry;
}

lab::Experiment experimentOf(const compile::CatalogueEntry& entry, int64_t size, int64_t tile) {
  lab::Experiment experiment;
  experiment.source = entry.source;
  experiment.sizes = {{"m", size}, {"n", size}, {"k", size}};
  experiment.tunables = {{"TILE_WIDTH", tile}};
  experiment.device = "simt";
  experiment.measure = false;
  experiment.traceBlock = Dim3{0, 0, 0};
  return experiment;
}

std::shared_ptr<const TracedKernel> tiledSide(int64_t size, int64_t tile) {
  const compile::CatalogueEntry entry = tiledKernel();
  return traceKernel(entry, lab::shared(toyResult(experimentOf(entry, size, tile))), 1, tile);
}

/// Two threads. Each fills a slot, reads the other thread's slot without a barrier in between, and
/// stores what it read, plus one if `spoiled`.
std::shared_ptr<const TracedKernel> racingSide(uint32_t removedLine, bool spoiled) {
  const compile::CatalogueEntry entry = tiledKernel();
  lab::RunResult result = toyResult(experimentOf(entry, 4, 2));
  trace::toy::Author author(2, 1);
  author.recording->sharedArrays = {{"Mds", 0, 8, 2}};
  const auto mine = [](uint32_t x, uint32_t, uint32_t& at, float& value) {
    at = x * 4;
    value = static_cast<float>(x);
    return true;
  };
  const auto others = [](uint32_t x, uint32_t, uint32_t& at, float& value) {
    at = (1 - x) * 4;
    value = static_cast<float>(1 - x);
    return true;
  };
  const auto output = [&](uint32_t x, uint32_t, uint32_t& at, float& value) {
    at = x * 4;
    value = static_cast<float>(1 - x) + (spoiled && x == 1 ? 1.0F : 0.0F);
    return true;
  };
  author.event(0, 0, 10, trace::Operation::store, trace::Space::shared, 0, mine);
  author.event(0, 1, 14, trace::Operation::load, trace::Space::shared, 0, others);
  author.event(0, 2, 17, trace::Operation::store, trace::Space::global, 2, output);
  author.recording->finish();
  result.trace = author.recording;
  device::Hazard hazard;
  hazard.kind = "read-after-write";
  hazard.space = "shared";
  hazard.first.line = 10;
  hazard.second.line = 14;
  result.hazards = {hazard};
  return traceKernel(entry, lab::shared(std::move(result)), 1, 2, removedLine);
}

TEST(BarrierCalls, AreFoundOnlyInCode) {
  const std::string source =
      "// __syncthreads();\n"
      "void f() {\n"
      "  __syncthreads();\n"
      "  const char* text = \"__syncthreads();\";\n"
      "  if (a) __syncthreads ( ) ; b();\n"
      "}\n";
  const std::vector<BarrierCall> calls = barrierCalls(source);
  ASSERT_EQ(calls.size(), 2U);
  EXPECT_EQ(calls[0].line, 3U);
  EXPECT_EQ(calls[1].line, 5U);
  EXPECT_TRUE(has(withoutBarrier(source, calls[0]), "\n  /* __syncthreads() */;\n"));
  EXPECT_TRUE(has(withoutBarrier(source, calls[1]), "if (a) /* __syncthreads ( )  */; b();"));
}

TEST(BarrierCalls, IncludeWarpBarriers) {
  const std::string source =
      "__syncthreads();\n"
      "__syncwarp();\n"
      "__syncwarp(0xff);\n";
  const std::vector<BarrierCall> calls = barrierCalls(source);
  ASSERT_EQ(calls.size(), 2U) << "barriers with a mask are ignored";
  EXPECT_FALSE(calls[0].ofWarp);
  EXPECT_TRUE(calls[1].ofWarp);
  EXPECT_EQ(calls[1].line, 2U);
}

TEST(BarrierCalls, EachBarrierOfAKernelCanBeRemoved) {
  const compile::CatalogueEntry entry = tiledKernel();
  EXPECT_FALSE(withoutBarrier(entry, 0));
  EXPECT_FALSE(withoutBarrier(entry, 3));
  const auto changed = withoutBarrier(entry, 2);
  ASSERT_TRUE(changed);
  EXPECT_EQ(barrierCalls(changed->entry.source.text).size(), 1U);
  EXPECT_EQ(std::ranges::count(changed->entry.source.text, '\n'),
            std::ranges::count(entry.source.text, '\n'));
}

TEST(BarrierRoles, RolesInTheTiledProductFollowFromItsTrace) {
  const std::vector<BarrierRole> roles = barrierRoles(*tiledSide(4, 2));
  ASSERT_EQ(roles.size(), 2U);
  EXPECT_EQ(roles[0].line, 12U);
  EXPECT_EQ(guardText(roles[0]), "read-after-write: 14 reads what 10 and 11 wrote");
  EXPECT_EQ(guardText(roles[1]), "write-after-read: 10 and 11 overwrite what 14 read");
  // Each of 4 slots is read by one other thread in two phases, and overwritten once.
  ASSERT_EQ(roles[0].guards.size(), 2U);
  EXPECT_EQ(roles[0].guards[0].array, "Mds");
  EXPECT_EQ(roles[0].guards[0].pairs, 8U);
  EXPECT_EQ(roles[0].guards[0].acrossWarps, 0U);
  EXPECT_EQ(roles[1].guards[0].pairs, 4U);
  EXPECT_EQ(roles[0].guards[0].example, "thread (1, 0) reads Mds[0][0], which thread (0, 0) wrote");
  EXPECT_TRUE(racesOf(*tiledSide(4, 2)).byEpoch.empty());
  // Tiles of 8 have two warps.
  const std::vector<BarrierRole> large = barrierRoles(*tiledSide(16, 8));
  EXPECT_GT(large[0].guards[1].acrossWarps, 0U);
}

TEST(Races, SlotsAndLinesOfAMissingBarrierAreFound) {
  const auto view = raceViewOf(*racingSide(0, false), nullptr);
  ASSERT_TRUE(view);
  EXPECT_EQ(view->lines, (std::vector<uint32_t>{10, 14}));
  ASSERT_EQ(view->races.byEpoch.size(), 1U);
  EXPECT_EQ(view->races.byEpoch.at(0).at({10, 14}).size(), 2U);
  EXPECT_TRUE(view->verdict.empty());
  EXPECT_FALSE(raceViewOf(*tiledSide(4, 2), nullptr));
}

TEST(Races, RightResultDoesNotHideARace) {
  const auto good = racingSide(0, false);
  const auto lucky = raceViewOf(*racingSide(12, false), good.get());
  ASSERT_TRUE(lucky);
  EXPECT_TRUE(lucky->right);
  EXPECT_EQ(
      lucky->verdict,
      "A race, though the result came out right this time: without the barrier of line 12, "
      "line 14 reads what line 10 may not have written yet (read-after-write). It may have "
      "come out right because the block is a single warp, whose threads ran these lines together "
      "here. CUDA does not promise that: since compute capability 7.0, threads of a warp may "
      "run independently.");
  const auto wrong = raceViewOf(*racingSide(12, true), good.get());
  EXPECT_FALSE(wrong->right);
  ASSERT_EQ(wrong->wrongElements.size(), 1U);
  EXPECT_EQ(wrong->wrongElements[0].offset, 4U);
  EXPECT_TRUE(wrong->verdict.starts_with(
      "Without the barrier of line 12, 1 of this block's 2 elements come out wrong: "));
}

class BarrierTest : public SessionFixture {
 protected:
  BarrierTest() {
    open();
    settle();
  }
};

TEST_F(BarrierTest, RemovalRunsInTheInterpreterBesideTheUnchangedKernel) {
  log->gpu = true;
  settle();
  session->apply(command("barriers.remove", 1));
  settle();
  ASSERT_TRUE(kept->main && kept->companion);
  EXPECT_GT(kept->main->side->removedLine, 0U);
  EXPECT_EQ(kept->main->side->result->device.id, "simt");
  EXPECT_EQ(kept->companion->side->kernel, "matmul_tiled");
  EXPECT_EQ(kept->companion->side->removedLine, 0U);
  EXPECT_NE(kept->main->side->sourceText, kept->companion->side->sourceText);
  ASSERT_TRUE(kept->notes);
  EXPECT_EQ(kept->notes->front().kind, LineNote::Kind::removed);
  EXPECT_EQ(kept->notes->front().barrier, 1U);
  EXPECT_EQ(kept->notes->back().kind, LineNote::Kind::barrier);
  EXPECT_EQ(kept->notes->back().barrier, 2U);
}

TEST_F(BarrierTest, UndoRestoresTheBarrier) {
  session->apply(command("barriers.next"));
  session->apply(command("barriers.next"));
  settle();
  EXPECT_EQ(kept->choice.withoutBarrier, 2U);
  session->undo();
  settle();
  EXPECT_EQ(kept->choice.withoutBarrier, 1U);
  session->undo();
  settle();
  EXPECT_EQ(kept->main->side->removedLine, 0U);
  EXPECT_EQ(kept->companion->side->kernel, "matmul_naive");
  session->redo();
  session->apply(command("barriers.next"));
  session->apply(command("barriers.next"));
  settle();
  EXPECT_EQ(kept->choice.withoutBarrier, 0U);
  session->apply(command("barriers.remove", 1));
  session->apply(command("choice.kernel", "matmul_naive"));
  settle();
  EXPECT_EQ(kept->choice.withoutBarrier, 0U);
  session->apply(command("barriers.next"));
  settle();
  EXPECT_TRUE(std::ranges::any_of(kept->notices,
                                  [](const Notice& notice) { return notice.about == "barrier"; }));
}

}  // namespace tilestep::features::barriers_test
