// SPDX-License-Identifier: Apache-2.0
#include "features/cube/cube_step.h"

#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <set>
#include <thread>
#include <tuple>

#include "features/cube/cube_text.h"
#include "features/cube/view.h"
#include "unit/features/divergence/traced_here.h"
#include "unit/model/session_fixture.h"

namespace tilestep::features::cube_step_test {

using trace::StepGranularity;

const compile::Bindings kEight{{"m", 8}, {"n", 8}, {"k", 8}};

struct Traced {
  std::shared_ptr<const TracedKernel> kernel;
  CubeTrace cube;
  [[nodiscard]] CubeStep at(StepGranularity grain, size_t index) const {
    return cubeStepOf(cube, *makeStep(kernel, grain, index));
  }
};

Traced traced(const std::string& name, const compile::Bindings& sizes,
              const compile::Bindings& tunables, const Dim3& block = {0, 0, 0}) {
  Traced found{tracedHere(name, sizes, tunables, block), {}};
  EXPECT_TRUE(found.kernel);
  if (found.kernel) found.cube = cubeTraceOf(*found.kernel);
  return found;
}

uint64_t elementsIn(const std::vector<CubeRun>& runs, bool now) {
  uint64_t count = 0;
  for (const CubeRun& run : runs) count += run.now == now ? run.count : 0;
  return count;
}

TEST(CubeStep, APhaseLightsItsSlabAndLoadsItsProjections) {
  const Traced tiled = traced("matmul_tiled", kEight, {{"TILE_WIDTH", 4}});
  const CubeStep second = tiled.at(StepGranularity::phase, 1);
  EXPECT_EQ(second.done, 128U);
  EXPECT_EQ(second.now, 64U);
  ASSERT_TRUE(second.slab);
  EXPECT_EQ(second.slab->first, 4U);
  EXPECT_EQ(second.slab->last, 7U);
  EXPECT_EQ(elementsIn(second.left, true), 16U);
  EXPECT_EQ(elementsIn(second.left, false), 16U);
  EXPECT_EQ(elementsIn(second.right, true), 16U);
  EXPECT_EQ(second.loads.left, 32U);
  EXPECT_EQ(second.loadsNow.right, 16U);
  EXPECT_EQ(second.sentence,
            "Phase 1, k = 4…7: 64 multiply-adds, and the block loads 16 elements of M and 16 of "
            "N: 4 multiply-adds for each loaded element.");
  for (const CubeRun& run : second.left) EXPECT_EQ(run.now, run.column >= 4) << "M by row and k";
  for (const CubeRun& run : second.right) EXPECT_EQ(run.now, run.row >= 4) << "N by k and column";
}

TEST(CubeStep, AnEpochLoadsOrComputes) {
  const Traced tiled = traced("matmul_tiled", kEight, {{"TILE_WIDTH", 4}});
  const CubeStep load = tiled.at(StepGranularity::epoch, 0);
  EXPECT_EQ(load.done, 0U);
  EXPECT_EQ(load.loadsNow.left, 16U);
  EXPECT_TRUE(load.slab) << "the slab that the loads are for";
  EXPECT_EQ(load.sentence, "Block (0, 0) loads 16 elements of M and 16 of N.");
  const CubeStep compute = tiled.at(StepGranularity::epoch, 1);
  EXPECT_EQ(compute.now, 64U);
  EXPECT_EQ(compute.loadsNow.left, 0U);
  EXPECT_EQ(elementsIn(compute.left, true), 0U);
  EXPECT_EQ(compute.sentence, "Block (0, 0) executes 64 multiply-adds, k = 0…3.");
  const CubeStep last = tiled.at(StepGranularity::epoch, 4);
  EXPECT_EQ(last.done, 128U);
  EXPECT_EQ(last.now, 0U);
  EXPECT_EQ(elementsIn(last.product, true), 16U);
  EXPECT_EQ(last.sentence, "Block (0, 0) stores 16 elements of P.");
}

TEST(CubeStep, ASingleAccessLightsOneKOfAWarp) {
  const Traced tiled = traced("matmul_tiled", kEight, {{"TILE_WIDTH", 4}});
  const uint32_t event = tiled.cube.points.front().event;
  const CubeStep step = tiled.at(StepGranularity::event, event);
  EXPECT_EQ(step.now, 16U);
  EXPECT_EQ(step.done, 16U);
  EXPECT_EQ(step.sentence, "Warp 0 executes 16 multiply-adds, k = 0.");
}

TEST(CubeStep, TheTextCountsZerosPastAnEdge) {
  const Traced edge =
      traced("matmul_tiled", {{"m", 6}, {"n", 6}, {"k", 6}}, {{"TILE_WIDTH", 4}}, {1, 1, 0});
  EXPECT_EQ(edge.cube.points.size(), 24U);
  EXPECT_EQ(edge.at(StepGranularity::phase, 0).sentence,
            "Phase 0, k = 0…3: 16 multiply-adds, and the block loads 8 elements of M and 8 of "
            "N: 2 multiply-adds for each loaded element. 48 more multiply by a zero past an edge.");
  const Table table = cubeTable(edge.cube, *edge.kernel);
  ASSERT_EQ(table.rows.size(), 4U);
  EXPECT_EQ(table.rows[0],
            (std::vector<std::string>{"0", "0…3", "16", "48", "0", "8", "8", "2", "2"}));
  EXPECT_EQ(table.rows[3][2], "24");
  EXPECT_EQ(table.rows[3][3], "104");
}

using UnitFace = std::tuple<CubeSide, uint32_t, uint32_t, uint32_t>;

/// By definition, a side is visible unless a lit point is directly in front of it.
std::set<UnitFace> seenSides(const CubeMarks& marks) {
  std::set<UnitFace> seen;
  const ProductArea& block = marks.block();
  const auto lit = [&](int64_t row, int64_t column, int64_t k) {
    if (row < block.top || column < block.left || k >= marks.depth()) return false;
    const CubeMark& mark = marks.at(static_cast<uint32_t>(row), static_cast<uint32_t>(column),
                                    static_cast<uint32_t>(k));
    return mark.tone == CubeTone::done || mark.tone == CubeTone::now;
  };
  for (uint32_t row = block.top; row < block.top + block.rows; ++row)
    for (uint32_t column = block.left; column < block.left + block.columns; ++column)
      for (uint32_t k = 0; k < marks.depth(); ++k) {
        if (!lit(row, column, k)) continue;
        if (!lit(row, column, int64_t{k} + 1)) seen.insert({CubeSide::product, row, column, k});
        if (!lit(row, int64_t{column} - 1, k)) seen.insert({CubeSide::left, row, column, k});
        if (!lit(int64_t{row} - 1, column, k)) seen.insert({CubeSide::right, row, column, k});
      }
  return seen;
}

TEST(CubeFaces, TheSurfaceHasEveryUncoveredSide) {
  std::mt19937 random(7);
  for (int round = 0; round < 40; ++round) {
    const auto upTo = [&](uint32_t most) { return 1 + static_cast<uint32_t>(random() % most); };
    CubeMarks marks({3, 2, upTo(5), upTo(5)}, upTo(7));
    const ProductArea& block = marks.block();
    for (uint32_t row = block.top; row < block.top + block.rows; ++row)
      for (uint32_t column = block.left; column < block.left + block.columns; ++column)
        for (uint32_t k = 0; k < marks.depth(); ++k)
          marks.at(row, column, k) = {static_cast<CubeTone>(random() % 4), random() % 2 == 1};
    std::set<UnitFace> found;
    for (const CubeFace& face : surfaceOf(marks))
      for (uint32_t i = 0; i < face.count; ++i) {
        const bool product = face.side == CubeSide::product;
        const uint32_t column = face.column + (product ? i : 0), k = face.k + (product ? 0 : i);
        EXPECT_TRUE(found.insert({face.side, face.row, column, k}).second) << "drawn twice";
        EXPECT_EQ(marks.at(face.row, column, k), face.mark);
      }
    EXPECT_EQ(found, seenSides(marks));
  }
}

class CubeSession : public SessionFixture {
 protected:
  void SetUp() override {
    open();
    settle();
  }
  const CubeView& cube() { return next().view<CubeView>(); }
};

TEST_F(CubeSession, IsMadeOnlyWhileVisibleAndFollowsTheSteps) {
  EXPECT_FALSE(cube().cube);
  session->apply(command("cube.watch", true));
  ASSERT_TRUE(cube().step);
  const auto made = cube().cube;
  session->apply(command("steps.grain", StepGranularity::phase));
  session->apply(command("steps.go", 0));
  const uint64_t first = cube().step->done;
  EXPECT_GT(first, 0U);
  session->apply(command("steps.move", Move::forward));
  EXPECT_EQ(cube().step->done, 2 * first);
  EXPECT_EQ(cube().cube, made) << "made once";
  const auto step = cube().step;
  EXPECT_EQ(cube().step, step) << "nothing moved";
  session->apply(command("cube.watch", false));
  EXPECT_FALSE(cube().cube);
}

TEST_F(CubeSession, ALargeCubeComesFromAnotherThread) {
  session->apply(command("choice.scene_size", "k", 1024));
  settle();
  ASSERT_GT(snapshot().main->side->replay->recording().size(), 4096U) << "else it is made at once";
  session->apply(command("cube.watch", true));
  EXPECT_TRUE(cube().pending);
  EXPECT_FALSE(snapshot().view<CubeView>().cube);
  for (int i = 0; i < 5000 && cube().pending; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  ASSERT_TRUE(cube().cube);
  EXPECT_FALSE(cube().pending);
  EXPECT_EQ(cube().of, snapshot().main->side);
  EXPECT_TRUE(cube().step || !cube().cube->trouble.empty());
}

}  // namespace tilestep::features::cube_step_test
