// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "gfx/labels/label_text.h"
#include "gfx/layers.h"
#include "unit/gfx/sample_scene.h"

namespace tilestep::gfx::bundles_test {

/// A block of the naive product in its first phase: each thread loads its row of M's tile and its
/// column of N's tile.
SceneModel naiveScene(uint32_t tile) {
  SceneModel model = productScene(2 * tile, 2 * tile, 2 * tile, tile);
  model.motion = false;
  for (SlotArray& array : model.arrays) array.absent = true;
  for (uint32_t y = 0; y < tile; ++y)
    for (uint32_t x = 0; x < tile; ++x)
      for (uint32_t k = 0; k < tile; ++k)
        for (const auto& [panel, row, column] : {std::tuple{0U, y, k}, {1U, k, x}})
          model.links.push_back({.from = {Place::In::panel, panel, row, column},
                                 .to = {Place::In::threads, 0, y, x},
                                 .warp = 0});
  return model;
}

/// The tiled product, in which the same threads load each element once, into shared memory.
SceneModel tiledScene(uint32_t tile) {
  SceneModel model = productScene(2 * tile, 2 * tile, 2 * tile, tile);
  model.motion = false;
  for (uint32_t y = 0; y < tile; ++y)
    for (uint32_t x = 0; x < tile; ++x)
      for (const uint32_t i : {0U, 1U})
        model.links.push_back(
            {.from = {Place::In::panel, i, y, x}, .to = {Place::In::array, i, y, x}, .warp = 0});
  return model;
}

/// The naive product without a companion has no arrays, and its threads are at a different
/// position.
SceneModel aloneScene(uint32_t tile) {
  SceneModel model = naiveScene(tile);
  model.arrays.clear();
  return model;
}

Layers layersOf(const SceneModel& model, const LayoutRequest& request) {
  return buildLayers(std::make_shared<SceneModel>(model), arrange(model, request), darkPalette());
}

struct Drawn {
  std::vector<LineInstance> branches, trunks;
};

/// Only the lines of trunks have heads.
Drawn drawnIn(const Layers& layers) {
  Drawn drawn;
  for (const LineInstance& line : layers.lines.items)
    (line.arrowPx > 0 ? drawn.trunks : drawn.branches).push_back(line);
  return drawn;
}

bool same(Point a, Point b) {
  return std::hypot(a.x - b.x, a.y - b.y) < 0.01F;
}

float ink(const Layers& layers) {
  float sum = 0;
  for (const LineInstance& line : layers.lines.items)
    sum += line.widthPx * std::hypot(line.to.x - line.from.x, line.to.y - line.from.y);
  return sum;
}

const std::vector<LayoutRequest> kRequests{{430, 490, 16, 12}, {900, 500, 16, 12}};

class Bundles : public testing::TestWithParam<uint32_t> {
 protected:
  template <class Check>
  void check(Check check) const {
    for (const LayoutRequest& request : kRequests)
      for (const SceneModel& model : {naiveScene(GetParam()), aloneScene(GetParam())}) {
        SCOPED_TRACE(testing::Message() << request.width << ", " << model.arrays.size());
        check(layersOf(model, request), GetParam());
      }
  }
};
INSTANTIATE_TEST_SUITE_P(Tiles, Bundles, testing::Values(2U, 4U, 6U));

TEST_P(Bundles, EachLoadedElementHasOneBranchAsWideAsItsLoads) {
  check([](const Layers& layers, uint32_t tile) {
    const Drawn drawn = drawnIn(layers);
    ASSERT_EQ(drawn.branches.size(), 2 * size_t{tile} * tile);
    for (const uint32_t panel : {0U, 1U})
      for (uint32_t row = 0; row < tile; ++row)
        for (uint32_t column = 0; column < tile; ++column) {
          const Box cell = layers.layout.panels[panel].cellBox(row, column);
          EXPECT_EQ(std::ranges::count_if(
                        drawn.branches,
                        [&](const LineInstance& line) { return cell.contains(line.from); }),
                    1);
        }
    for (const LineInstance& line : drawn.branches)
      EXPECT_EQ(line.widthPx, drawn.branches.front().widthPx);
  });
}

TEST_P(Bundles, EachThreadHasAnArrowHeadFromEachMatrix) {
  check([](const Layers& layers, uint32_t tile) {
    const Drawn drawn = drawnIn(layers);
    EXPECT_EQ(drawn.trunks.size(), 2 * size_t{tile} * tile);
    for (uint32_t row = 0; row < tile; ++row)
      for (uint32_t column = 0; column < tile; ++column) {
        const Box cell = layers.layout.threads[0].cellBox(row, column);
        EXPECT_EQ(
            std::ranges::count_if(drawn.trunks,
                                  [&](const LineInstance& line) { return cell.contains(line.to); }),
            2);
      }
    for (const LineInstance& line : drawn.trunks) EXPECT_GT(line.headPx, line.widthPx);
  });
}

TEST_P(Bundles, ATrunkGetsNarrowerAtEachThreadItPasses) {
  check([](const Layers& layers, uint32_t tile) {
    const Drawn drawn = drawnIn(layers);
    for (size_t i = 0; i < drawn.trunks.size(); ++i) {
      const LineInstance& line = drawn.trunks[i];
      if (i % tile == 0) continue;  // The first thread of the next trunk.
      EXPECT_TRUE(same(line.from, drawn.trunks[i - 1].to));
      const float whole = drawn.trunks[i - i % tile].widthPx;
      EXPECT_NEAR(line.widthPx, std::max(1.0F, whole * float(tile - i % tile) / float(tile)),
                  0.02F);
    }
  });
}

TEST_P(Bundles, BranchesReachTheTrunkSideBySideWithItsWidth) {
  check([](const Layers& layers, uint32_t tile) {
    const Drawn drawn = drawnIn(layers);
    for (size_t i = 0; i < drawn.trunks.size(); i += tile) {
      const LineInstance& trunk = drawn.trunks[i];
      float width = 0;
      for (size_t j = i; j < i + tile; ++j) {
        const LineInstance& branch = drawn.branches[j];
        width += branch.widthPx;
        EXPECT_LE(std::hypot(branch.to.x - trunk.from.x, branch.to.y - trunk.from.y),
                  trunk.widthPx);
      }
      EXPECT_NEAR(width, trunk.widthPx, 0.02F + (width > trunk.widthPx ? float(tile) : 0));
    }
  });
}

TEST_P(Bundles, BranchesOfOneTrunkDoNotCross) {
  check([](const Layers& layers, uint32_t tile) {
    const Drawn drawn = drawnIn(layers);
    const auto side = [](const LineInstance& line, Point at) {
      return (line.to.x - line.from.x) * (at.y - line.from.y) -
             (line.to.y - line.from.y) * (at.x - line.from.x);
    };
    for (size_t i = 0; i < drawn.branches.size(); i += tile)
      for (size_t j = i; j < i + tile; ++j)
        for (size_t k = j + 1; k < i + tile; ++k) {
          const LineInstance &a = drawn.branches[j], &b = drawn.branches[k];
          const bool crosses =
              side(a, b.from) * side(a, b.to) < -1e-2F && side(b, a.from) * side(b, a.to) < -1e-2F;
          EXPECT_FALSE(crosses) << j << " and " << k;
        }
  });
}

TEST_P(Bundles, TheNaiveBlockLooksHeavierThanTheTiledOne) {
  const uint32_t tile = GetParam();
  for (const LayoutRequest& request : kRequests)
    EXPECT_GT(ink(layersOf(naiveScene(tile), request)),
              2 * ink(layersOf(tiledScene(tile), request)));
}

TEST(BundledLinks, LoadsWithoutACommonPathRemainSeparateArrows) {
  const Layers layers = layersOf(tiledScene(4), {430, 490, 16, 12});
  EXPECT_EQ(layers.lines.items.size(), 32U);
  EXPECT_TRUE(drawnIn(layers).branches.empty());
}

TEST(BundledLinks, LoadsOfAHoveredThreadAreSeparateArrows) {
  SceneModel model = naiveScene(4);
  const Place thread{Place::In::threads, 0, 2, 1};
  for (Link& link : model.links) link.highlighted = link.to == thread;
  const Layers layers = layersOf(model, {430, 490, 16, 12});
  EXPECT_EQ(std::ranges::count(layers.lines.items, darkPalette().accent, &LineInstance::color), 8);
  EXPECT_EQ(layers.lines.items.size(), 64U + 8U);
}

TEST(BundledLinks, BundlesAreFaintWhileAThreadIsFollowed) {
  SceneModel model = naiveScene(4);
  const auto strong = layersOf(model, {430, 490, 16, 12}).lines.items.front().color;
  model.isolated = true;
  const auto faint = layersOf(model, {430, 490, 16, 12}).lines.items.front().color;
  EXPECT_LT(faint.a, strong.a / 2);
}

TEST(BundledLinks, ATextCrossedByALineGetsAPlate) {
  const LayoutRequest request{430, 490, 16, 12};
  const auto plated = [&](const SceneModel& model, const std::string& text) {
    const auto labels = labelsOf(layersOf(model, request), {}, request.width, request.height);
    const auto label = std::ranges::find(labels, text, &Label::text);
    return label != labels.end() && label->plate.a > 0;
  };
  EXPECT_TRUE(plated(naiveScene(4), "Pvalue"));
  EXPECT_FALSE(plated(tiledScene(4), "Pvalue"));
  EXPECT_FALSE(plated(naiveScene(4), "global memory"));
}

TEST(LabelText, ALinesWidthCountsWhenItMeetsABox) {
  const Box box{10, 10, 20, 10};
  EXPECT_TRUE(meets(box, {0, 0}, {40, 30}, 1));
  EXPECT_TRUE(meets(box, {15, 15}, {16, 15}, 1));
  EXPECT_FALSE(meets(box, {0, 0}, {9, 9}, 1));
  EXPECT_FALSE(meets(box, {0, 0}, {40, 0}, 1));
  EXPECT_FALSE(meets(box, {0, 8}, {40, 8}, 2));
  EXPECT_TRUE(meets(box, {0, 8}, {40, 8}, 6));
  EXPECT_FALSE(meets(box, {0, 40}, {60, 10}, 1));
}

}  // namespace tilestep::gfx::bundles_test
