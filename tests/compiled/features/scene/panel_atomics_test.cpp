// SPDX-License-Identifier: Apache-2.0
// The scene of a kernel with atomic operations: their targets, and the known results.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "features/scene/atomic_sources.h"
#include "features/scene/panel_model.h"
#include "unit/features/divergence/traced_here.h"

namespace tilestep::features::panel_atomics_test {

using gfx::Place;

constexpr size_t kClear = 0, kCount = 1, kMerge = 2;

class HistogramScene : public testing::Test {
 protected:
  void build(size_t epoch, const std::string& kernel = "histogram_shared") {
    const auto side = tracedHere(kernel, {{"n", 16}}, {{"BLOCK", 8}, {"BINS", 4}});
    ASSERT_TRUE(side);
    step = model::makeStep(side, trace::StepGranularity::epoch, epoch);
    scene = SceneBuilder().build(1, step, nullptr, {});
  }
  [[nodiscard]] size_t linksBetween(Place::In from, Place::In to) const {
    return static_cast<size_t>(std::ranges::count_if(scene->links, [&](const gfx::Link& link) {
      return link.from.in == from && link.to.in == to;
    }));
  }
  std::shared_ptr<const model::TracedStep> step;
  std::shared_ptr<const gfx::SceneModel> scene;
};

TEST_F(HistogramScene, EachElementLeadsToTheCounterOfItsRemainder) {
  build(kCount);
  ASSERT_EQ(scene->arrays.size(), 1U);
  EXPECT_EQ(linksBetween(Place::In::panel, Place::In::array), 8U);
  EXPECT_EQ(scene->links.size(), 8U);
  const gfx::MatrixPanel& x = scene->panels.front();
  ASSERT_TRUE(x.picture);
  for (const gfx::Link& link : scene->links) {
    const auto element = static_cast<uint32_t>(x.picture->values[link.from.column]);
    EXPECT_EQ(element % 4, link.to.column) << element;
  }
}

TEST_F(HistogramScene, ACounterHasTheValueReadAfterTheBarrier) {
  build(kClear);
  for (const gfx::Slot& slot : scene->arrays.front().slots) {
    EXPECT_TRUE(slot.written && slot.known);
    EXPECT_EQ(slot.value, 0);
  }
  build(kCount);
  std::vector<int> counted(4);
  for (const gfx::Link& link : scene->links) ++counted[link.to.column];
  for (size_t i = 0; i < 4; ++i) {
    const gfx::Slot& slot = scene->arrays.front().slots[i];
    EXPECT_TRUE(slot.known) << i;
    EXPECT_EQ(slot.value, counted[i]) << i;
    EXPECT_EQ(slot.fresh, counted[i] > 0) << i;
  }
}

TEST_F(HistogramScene, EachCounterLeadsToItsBin) {
  build(kMerge);
  ASSERT_GT(linksBetween(Place::In::array, Place::In::panel), 0U);
  for (const gfx::Link& link : scene->links) {
    EXPECT_EQ(scene->panels[link.to.index].name, "bins");
    EXPECT_EQ(link.from.column, link.to.column);
  }
}

TEST_F(HistogramScene, ABinHasItsValueUntilAnAtomicChangesIt) {
  for (const size_t epoch : {kClear, kMerge}) {
    build(epoch);
    const gfx::MatrixPanel& bins = scene->panels.back();
    ASSERT_EQ(bins.name, "bins");
    ASSERT_TRUE(bins.picture);
    std::vector<bool> changed(4);
    for (const gfx::Link& link : scene->links)
      if (link.to.in == Place::In::panel) changed[link.to.column] = true;
    for (size_t i = 0; i < 4; ++i)
      EXPECT_EQ(std::isnan(bins.picture->values[i]), changed[i]) << epoch << ": " << i;
  }
}

TEST_F(HistogramScene, InGlobalMemoryElementsLeadToTheBins) {
  build(0, "histogram_global");
  EXPECT_EQ(linksBetween(Place::In::panel, Place::In::panel), 8U);
  for (const AtomicUpdate& update : atomicUpdatesOf(*step)) {
    EXPECT_FALSE(update.isShared);
    EXPECT_FALSE(update.source.shared);
    EXPECT_EQ(update.source.place.buffer, 0);
  }
}

TEST_F(HistogramScene, WholeNumbersAreDrawnOnTheirOwnScale) {
  build(kCount);
  const gfx::MatrixPanel& x = scene->panels.front();
  EXPECT_EQ(x.high, *std::ranges::max_element(x.picture->values));
  EXPECT_GT(x.high, 1);
  EXPECT_EQ(x.low, -x.high);
}

}  // namespace tilestep::features::panel_atomics_test
